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
# The library for AVX-512 and that for AVX2 give the same bits, on a network of the project's own kernels.
wide=$("$scratch/venv/bin/paretofl" run fedcmoo-glyphs --set rounds=3 --dir wide --json)
narrow=$(GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F "$scratch/venv/bin/paretofl" run fedcmoo-glyphs --set rounds=3 --dir narrow --json)
"$scratch/venv/bin/python" - "$wide" "$narrow" <<'PYTHON'
import json, sys
wide, narrow = map(json.loads, sys.argv[1:])
flags = open("/proc/cpuinfo").read().split()
levels = {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}
expected = 512 if levels <= set(flags) else 256
assert (wide["vector_bits"], narrow["vector_bits"]) == (expected, 256), (wide["vector_bits"], narrow["vector_bits"])
assert wide["parameters_sha256"] == narrow["parameters_sha256"], (wide, narrow)
print(f"wheel: {expected} and 256 vector bits give the same bits, {wide['parameters_sha256'][:16]}")
PYTHON
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
