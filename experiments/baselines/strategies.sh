# Sourced by baselines.sh and rates.sh: the strategies that are compared, and each one's preset.
# shellcheck shell=bash disable=SC2034
read -ra strategies <<<"${STRATEGIES:-fedavg fedcmoo fsmgda fedmgda_plus afl qffl fedfv fedmdfg scaffold feddyn fedexp ditto}"

preset_of() {
  local folder=experiments/baselines
  case $1 in fedavg | fedcmoo | fsmgda) folder=experiments/fedcmoo ;; esac
  echo "$folder/$1-mnist_fmnist.toml"
}
