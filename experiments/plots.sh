#!/usr/bin/env bash
# Draws the plots of experiments/*/results from the tables beside them, or those of the scripts that are named.
# Usage: experiments/plots.sh [PLOT.py]...
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh plots
python=python3
python3 -c "import matplotlib" 2>/dev/null || python=/usr/bin/python3 # which Debian's package is for
if (($#)); then plots=("$@"); else plots=(experiments/*/*_plot.py); fi
for plot in "${plots[@]}"; do "$python" "$plot"; done
