# Sourced by baselines.sh and rates.sh: the strategies that are compared, and the folder of each one's preset.
# shellcheck shell=bash disable=SC2034
read -ra strategies <<<"${STRATEGIES:-fedavg fedcmoo fsmgda fedmgda_plus afl qffl fedfv fedmdfg scaffold feddyn fedexp ditto}"

folder_of() {
  case $1 in fedavg | fedcmoo | fsmgda) echo experiments/fedcmoo ;; *) echo experiments/baselines ;; esac
}
