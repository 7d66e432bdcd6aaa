#!/usr/bin/env bash
# Draws the plots of experiments/*/results from the tables beside them. Usage: experiments/plots.sh
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh plots
for plot in experiments/*/*_plot.py; do python3 "$plot"; done
