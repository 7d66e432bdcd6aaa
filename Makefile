# The everyday commands. Each installs what it needs with apt-get (scripts/setup.sh) and builds with
# CMake presets (CMakePresets.json); JOBS limits the parallel jobs.

JOBS ?= $(shell nproc)
BENCH ?=
ONLY ?=
SINCE ?=
SEED ?= 1
# Which LibTorch make build and make test use: that of debian, or that of PyPI's package torch (pip), built in build-pip-torch.
TORCH ?= debian
PREFIX ?= /usr/local

ifeq ($(filter debian pip,$(TORCH)),)
$(error TORCH: expected debian or pip, found '$(TORCH)')
endif

.DEFAULT_GOAL := help
.PHONY: help setup build demo test wheel flower deployment package install bench bench-peers format lint sanitize fuzz faults arm docs docs-site clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup:  ## install the Debian packages that are missing
	@scripts/setup.sh $(if $(filter pip,$(TORCH)),pip-torch,build)

build: setup  ## build the command, build/paretofl; TORCH=pip with PyPI's LibTorch, build-pip-torch/paretofl
	@scripts/build.sh $(if $(filter pip,$(TORCH)),pip-torch,release) $(JOBS) paretofl_command

demo:  ## build the command without language models, LibTorch and simulators, train, print a Pareto front, write report.html
	@scripts/announce_demo.sh $(JOBS)
	@scripts/setup.sh core
	@scripts/build.sh core $(JOBS) paretofl_command
	@scripts/demo.sh

package: setup  ## make Debian packages of the command, the library and its parts in dist/
	@scripts/setup.sh package
	@scripts/package.sh portable $(JOBS)

install: build  ## install the command, the library and its CMake files; PREFIX=/usr/local
	@cmake --install build --prefix "$(PREFIX)"

ifeq ($(TORCH),pip)
test: setup
	@scripts/build.sh pip-torch $(JOBS) torch_tests
	@scripts/test.sh pip-torch $(JOBS) --label-regex torch
else
test: setup  ## build and run every test, those of the Python package too (real-data tests need PARETOFL_DATA=DIR)
	@scripts/build.sh release $(JOBS) all
	@scripts/test.sh release $(JOBS)
	@scripts/setup.sh python
	@scripts/python.sh test $(JOBS)
endif

wheel:  ## make a wheel of the Python package in dist/, for every x86-64-v3 processor
	@scripts/setup.sh python
	@scripts/python.sh wheel $(JOBS)

flower:  ## install Flower and the Python package into build/flower, for `paretofl federate`
	@scripts/setup.sh python flower
	@scripts/python.sh flower $(JOBS)

deployment: flower  ## follow docs/deployment.md on three machines made of namespaces
	@scripts/setup.sh deployment
	@scripts/check_deployment.py

bench: setup  ## build and run the benchmarks; BENCH=NAME runs one
	@scripts/build.sh release $(JOBS) benchmarks
	@for program in build/benchmarks/*$(BENCH)*_benchmark; do echo "== $$program"; $$program || exit 1; done

bench-peers: setup  ## compare with Stable-Baselines3, TorchJD, MO-Gymnasium and PyTorch, installed into build/peers; ONLY=solvers
	@scripts/build.sh release $(JOBS) paretofl_command benchmarks
	@scripts/setup.sh python
	@scripts/python.sh install $(JOBS)
	@benchmarks/peers.py $(if $(ONLY),--only $(ONLY))

format:  ## format every source file in place
	@scripts/setup.sh lint
	@scripts/lint.sh --fix

lint: setup  ## check format, clang-tidy and the house rules; SINCE=REF looks at changed files only
	@scripts/setup.sh lint
	@scripts/build.sh lint $(JOBS) lint_inputs
	@scripts/lint.sh $(if $(SINCE),--since $(SINCE)) --jobs $(JOBS)

sanitize: setup  ## run every test under ASan and UBSan, and the threaded rooms' tests under TSan
	@scripts/setup.sh sanitize
	@scripts/build.sh asan $(JOBS) all
	@scripts/test.sh asan $(JOBS)
	@scripts/build.sh tsan $(JOBS) threaded_tests
	@scripts/test.sh tsan $(JOBS) --label-regex threaded

fuzz: setup  ## build the fuzz targets with ASan and UBSan and run each for a bounded number of inputs
	@scripts/setup.sh sanitize
	@scripts/build.sh asan $(JOBS) fuzz_targets
	@JOBS=$(JOBS) scripts/fuzz.sh

faults: build  ## kill the command at random system calls, damage files, draw configs; SEED=N makes others
	@scripts/setup.sh faults
	@scripts/check_faults.py --seed $(SEED) --jobs $(JOBS)
	@scripts/check_configs.py --seed $(SEED) --jobs $(JOBS)

arm:  ## run the tests of the kernels for 64-bit ARM in an emulator
	@scripts/setup.sh arm
	@scripts/check_arm.sh $(JOBS)

docs: build  ## run the commands of README.md and docs/
	@scripts/check_docs.sh

docs-site:  ## build the documentation as a site, build/site/index.html, and check its links
	@scripts/setup.sh site
	@scripts/docs_site.py --jobs $(JOBS)
	@scripts/check_site.py

clean:  ## remove everything that was built
	rm -rf build build-pip-torch build-python dist
