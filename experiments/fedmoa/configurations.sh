# Sourced by campaign.sh, seeds.sh and planes.sh: the three configurations of questions and rewards.
#   homo_homo    one kind of task, the same three rewards for all
#   homo_heter   one kind of task, three configurations of rewards (A, B, C)
#   heter_heter  two kinds of tasks, each with a configuration of its own
# `groups` has the clients' questions and rewards. With `settings`, clients of a task with different rewards start with the same weight of
# the accuracy, so that none counts more from the start, and take their cluster's weights.
# shellcheck shell=bash disable=SC2034
a=accuracy+format+tag_count b=accuracy+format c=accuracy+tag_count
declare -A groups=(
  [homo_homo]="expressions:$a"
  [homo_heter]="expressions:$a,expressions:$b,expressions:$c"
  [heter_heter]="sums:$a,expressions:$b")
declare -A settings=([homo_homo]="" [homo_heter]="strategy.accuracy_weight=0.5 strategy.kept_weights=shared" [heter_heter]="")

tasks_of() {
  local task
  for task in sums expressions; do
    if [[ ${groups[$1]} == *"$task:"* ]]; then echo "$task"; fi
  done
}
