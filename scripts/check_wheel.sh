#!/usr/bin/env bash
# Makes the wheel, installs it in an empty virtual environment and compares a run of it with the command's of the same build.
set -euo pipefail
cd "$(dirname "$0")/.."
make wheel
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
/usr/bin/python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q dist/paretofl-*.whl
cd "$scratch"
"$scratch/venv/bin/paretofl" run fedcmoo-quadratics --set rounds=20 --dir command --json >command.json
"$scratch/venv/bin/paretofl" report command --figures figures >/dev/null
[[ -s figures/curves.svg ]] # the wheel has the JavaScript engine that draws it
# The library for AVX-512 and that for AVX2 give the same bits, on every network of the project's own kernels.
cat >table.toml <<'TOML'
rounds = 3
data.root = "."
workload = {name = "table", files = "rows.csv", client_column = "who", targets = ["y", "z"], losses = ["squared", "logistic"], hidden = [12, 7]}
strategy = {name = "fedcmoo", cohort_size = 5, local_steps = 4, client_lr = 0.1}
TOML
awk 'BEGIN { srand(1); print "who,a,b,y,z"; for (i = 0; i < 400; ++i) { a = rand(); b = rand(); printf "%d,%.4f,%.4f,%.4f,%d\n", i % 7, a, b, a * b, (a > b) } }' >rows.csv
for run in "fedcmoo-glyphs --set rounds=3" "fedcmoo-glyphs --set rounds=3 --set workload.model=lenet_winograd" \
  "fedpref-deep_sea_treasure --set rounds=2" "table.toml" "table.toml --set privacy.example_clip=0.5 --set privacy.example_noise_multiplier=0 --set privacy.example_rate=0.2"; do
  rm -rf wide narrow
  # shellcheck disable=SC2086 # words
  "$scratch/venv/bin/paretofl" run $run --dir wide --json >wide.json
  # shellcheck disable=SC2086
  GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F "$scratch/venv/bin/paretofl" run $run --dir narrow --json >narrow.json
  "$scratch/venv/bin/python" - "$run" <<'PYTHON'
import json, sys
wide, narrow = (json.load(open(name)) for name in ("wide.json", "narrow.json"))
flags = open("/proc/cpuinfo").read().split()
levels = {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}
expected = 512 if levels <= set(flags) else 256
assert (wide["vector_bits"], narrow["vector_bits"]) == (expected, 256), (wide["vector_bits"], narrow["vector_bits"])
assert wide["parameters_sha256"] == narrow["parameters_sha256"], (sys.argv[1], wide, narrow)
print(f"wheel: {expected} and 256 vector bits give the same bits, {wide['parameters_sha256'][:16]}: {sys.argv[1]}")
PYTHON
done
"$scratch/venv/bin/python" - <<'PYTHON'
import json, pathlib, sys, time
start = time.perf_counter()
import paretofl
seconds = time.perf_counter() - start
assert "torch" not in sys.modules
folder = pathlib.Path(paretofl.__file__).parent
assert all((folder / name).is_file() for name in ("py.typed", "_engine.pyi", "_solvers.pyi"))
digest = paretofl.run("fedcmoo-quadratics", rounds=20, directory="python").summary["parameters_sha256"]
assert digest == json.load(open("command.json"))["parameters_sha256"], digest
try:  # the wheel has no LibTorch
    paretofl.run({"strategy": "firm", "workload": "alignment"}, directory="alignment")
    sys.exit("expected an error of the missing libparetofl_torch.so, found a run")
except paretofl.Error as error:
    assert "libparetofl_torch.so" in str(error) and "PARETOFL_TORCH=ON" in str(error), error
print(f"wheel: imported in {seconds:.2f} s; the package and its command give the same bits, {digest[:16]}")
PYTHON
