# Sourced by baselines.sh and rates.sh: the methods that are compared by their presets' names, the folder of each one's preset, and the key
# of the rate of its clients' steps, which STIMULUS, whose clients take none, has at the server.
# shellcheck shell=bash disable=SC2034
read -ra strategies <<<"${STRATEGIES:-fedavg fedcmoo fsmgda moco modo famo cr_mogm stimulus fedmgda_plus afl qffl fedfv fedmdfg scaffold feddyn fedexp ditto}"

folder_of() {
  case $1 in fedavg | fedcmoo | fsmgda) echo experiments/fedcmoo ;; *) echo experiments/baselines ;; esac
}

rate_of() {
  if [[ $1 == stimulus ]]; then echo strategy.server_lr; else echo strategy.client_lr; fi
}
