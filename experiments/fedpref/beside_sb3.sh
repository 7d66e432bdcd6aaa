#!/usr/bin/env bash
# Agents of single clients beside Stable-Baselines3's, as benchmarks/sb3_agents.py runs them: DQN on Deep-Sea Treasure (10
# preferences, 10,000 steps), DDPG on MO-Lunar Lander with continuous actions and on MO-HalfCheetah (the uniform preference,
# DDPG_STEPS); then results/beside_sb3.md from both. Finished runs are kept.
# Usage: SB3=FILE.csv [PROBLEMS="deep_sea_treasure"] [DDPG_STEPS=20000] [JOBS=2] experiments/fedpref/beside_sb3.sh [SEED]...
#        (default: seeds 1 to 20 of DQN, 1 to 5 of DDPG)
set -euo pipefail
cd "$(dirname "$0")/../.."
sb3=${SB3:?expected the file that benchmarks/sb3_agents.py wrote in SB3}
runs=runs/beside_sb3
source experiments/queue.sh
read -ra problems <<<"${PROBLEMS:-deep_sea_treasure lunar_lander_continuous half_cheetah}"
steps=${DDPG_STEPS:-20000}

for problem in "${problems[@]}"; do
  if (($#)); then
    seeds=("$@")
  elif [[ $problem == deep_sea_treasure ]]; then
    mapfile -t seeds < <(seq 20)
  else
    mapfile -t seeds < <(seq 5)
  fi
  for seed in "${seeds[@]}"; do
    if [[ $problem == deep_sea_treasure ]]; then
      settings=(rounds=20 evaluation.every=20 workload.clients=10 'workload.preferences="lattice"' workload.agent.total_steps=10000)
    else
      settings=(rounds=1 evaluation.every=1 strategy.local_steps="$steps" workload.clients=1 'workload.preferences="uniform"'
        workload.evaluation_episodes=10)
    fi
    queue "$problem-$seed" "experiments/fedpref/no_communication-$problem.toml" seed="$seed" "${settings[@]}"
  done
done
run_queue
keep experiments/fedpref/results/beside_sb3.md python3 experiments/fedpref/beside_sb3_table.py "$runs" "$sb3"
