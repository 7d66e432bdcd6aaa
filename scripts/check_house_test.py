#!/usr/bin/env python3
"""Plants violations of the house rules in a small tree and expects check_house to name each of them."""

import tempfile
import unittest
from pathlib import Path

import check_house

HEADER = "#pragma once\n"
REGISTRY = 'static const Registry registry("strategy", {entry("fedavg", "averages", "", make)});\n'


class CheckHouseTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.plant("CMakeLists.txt", "")
        self.plant("Makefile", "")
        self.plant("paretofl/core/error.h", HEADER)
        self.plant("paretofl/strategies/registry.cpp", '#include "paretofl/core/error.h"\n' + REGISTRY)

    def plant(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def expect(self, *fragments):
        found = list(check_house.violations(self.root))
        self.assertEqual(len(found), 1, found)
        for fragment in fragments:
            self.assertIn(fragment, found[0])

    def test_files_that_documents_name(self):
        self.plant("docs/rooms.md", "In `core/error.h`, strategies/*.cpp and, of old, core/gone.h; of yours my/own.h.\n")
        self.expect("docs/rooms.md: expected names of files that exist, found core/gone.h")
        self.plant("docs/rooms.md", "```cpp paretofl/core/new.h\n// core/none.h\n```\n")
        self.assertEqual(list(check_house.violations(self.root)), [])

    def test_a_folder_that_a_command_has_left(self):
        self.plant("run/config.toml", "")
        self.expect("run: expected no folder of this name")

    def test_a_room_of_too_many_files(self):
        for i in range(64):
            self.plant(f"paretofl/wire/part{i}.h", HEADER)
        self.assertEqual(list(check_house.violations(self.root)), [])
        self.plant("paretofl/wire/one_more.h", HEADER)
        self.expect("paretofl/wire: expected at most 64 files in a folder, found 65")

    def test_clean_tree_passes(self):
        self.assertEqual(list(check_house.violations(self.root)), [])

    def test_names_of_a_test_file_that_its_neighbour_has(self):
        self.plant("tests/core/a_test.cpp", "using Bytes = std::string;\nint answer(int x) {\n}\nconstexpr int kSize = 3;\n")
        self.plant("tests/core/b_test.cpp", "using Bytes = std::string;\nvoid other() {\n  answer(kSize);\n}\n")
        self.plant("tests/wire/c_test.cpp", "int answer() {\n}\n")
        self.assertEqual(list(check_house.violations(self.root)), [])
        for taken in ("double answer() {\n", "struct answer {\n", "const std::vector<int> kSize{1, 2};\n", "using Bytes = int;\n"):
            self.plant("tests/core/b_test.cpp", taken)
            self.expect("tests/core/b_test.cpp: expected names of its own within tests/core", "which a_test.cpp has")

    def test_arrow_against_the_design(self):
        self.plant("paretofl/core/server.cpp", '#include "paretofl/wire/message.h"\n')
        self.expect("paretofl/core/server.cpp", "paretofl/wire/message.h")

    def test_arrow_between_equals(self):
        self.plant("paretofl/solvers/min_norm.cpp", '#include "paretofl/models/model.h"\n')
        self.expect("expected solvers to include core")

    def test_library_including_the_command(self):
        self.plant("paretofl/runs/run.cpp", '#include "apps/commands.h"\n')
        self.expect("expected runs to include")

    def test_the_width_of_registers_outside_its_rooms(self):
        self.plant("paretofl/kernels/lanes.h", HEADER)
        self.plant("paretofl/models/net.h", HEADER + '#include "paretofl/kernels/lanes.h"\n')
        self.plant("paretofl/models/net.cpp", '#include "paretofl/models/net.h"\n')
        self.assertEqual(list(check_house.violations(self.root)), [])
        self.plant("paretofl/workloads/table.cpp", '#include "paretofl/models/net.h"\n')
        self.expect("paretofl/workloads/table.cpp: expected paretofl/kernels/lanes.h only in agents, kernels, language, models")

    def test_unknown_room(self):
        self.plant("paretofl/shed/tool.h", HEADER)
        self.expect("table of arrows", "'shed'")

    def test_include_not_from_the_root(self):
        for included in ("layout.h", "paretofl/core/../wire/message.h"):
            with self.subTest(included):
                self.plant("paretofl/core/layout.cpp", f'#include "{included}"\n')
                self.expect("includes from the root", included)

    def test_arrow_in_angle_brackets(self):
        self.plant("paretofl/core/server.cpp", "#include <paretofl/runs/run.h>\n")
        self.expect("paretofl/core/server.cpp", "paretofl/runs/run.h")

    def test_file_in_no_room(self):
        self.plant("paretofl/version.cpp", "")
        self.expect("paretofl/version.cpp", "in a room")

    def test_other_endings(self):
        self.plant("paretofl/core/server.cc", "")
        self.expect("paretofl/core/server.cc", ".cpp")

    def test_registered_name_in_core(self):
        for text in ('const char* name = "fedavg";', "class FedavgServer;", "/// What FedAvg needs.", "int fedavg_rounds;"):
            with self.subTest(text):
                self.plant("paretofl/core/server.cpp", text + "\n")
                self.expect("paretofl/core/server.cpp:1", "'fedavg'")

    def test_names_of_every_maker(self):
        for text in ('entry<TopK, TopKOptions>("top_k", "entries",', '{{{"faces", "drawn", "",', 'acting("minecart", "a cart mines",',
                     'entry<RandomizedSvd>(\n    "randomized_svd", "sketch",', 'published("math", "problems",'):
            with self.subTest(text):
                self.plant("paretofl/workloads/registry.cpp", text + "\n")
                name = check_house.registered_names(self.root, "workloads")[0]
                self.assertIn(f'"{name}"', text)
                self.plant("paretofl/core/server.cpp", f"/// Not for {name}.\n")
                self.expect("paretofl/core/server.cpp:1", name)

    def test_project_has_names_in_every_registry(self):
        project = Path(__file__).resolve().parent.parent
        expected = {"strategies": "fedpref", "workloads": "half_cheetah", "environments": "mo-reacher-v4", "agents": "ddpg", "solvers": "upgrad",
                    "compressors": "quantizer", "aggregators": "multi_krum", "models": "mpnn", "objectives": "lattice", "questions": "sums", "rewards": "tag_count"}
        self.assertEqual(set(expected), set(check_house.DISTINCTIVE_REGISTRIES + check_house.GENERIC_REGISTRIES))
        for room, name in expected.items():
            self.assertIn(name, check_house.registered_names(project, room))

    def test_generic_name_counts_only_as_a_string(self):
        self.plant("paretofl/compressors/registry.cpp", 'registry("compressor", {{{"exact", "no compression", "", describe}, make}});\n')
        self.plant("paretofl/runtimes/threads.cpp", "/// Not an exact science.\n")
        self.assertEqual(list(check_house.violations(self.root)), [])
        self.plant("paretofl/runtimes/threads.cpp", 'if (name == "exact") return;\n')
        self.expect("paretofl/runtimes/threads.cpp:1", "'exact'")

    def test_registry_that_cannot_be_read(self):
        self.plant("paretofl/solvers/registry.cpp", "Registry registry = all();\n")
        self.expect("paretofl/solvers/registry.cpp", "expected names")

    def test_long_file(self):
        for file in ("tests/core/error_test.cpp", "README.md", "docs/cli.md", "experiments/fedpref/README.md"):
            with self.subTest(file):
                self.plant(file, "\n" * 501)
                self.expect(file, "expected at most 500 lines, found 501")
                self.plant(file, "")

    def test_high_median(self):
        self.plant("paretofl/core/error.h", HEADER + "\n" * 130)
        self.plant("paretofl/strategies/registry.cpp", REGISTRY + "\n" * 130)
        self.expect("median")

    def test_command_without_the_right(self):
        self.plant("experiments/plot.py", "#!/usr/bin/env python3\n")
        self.expect("experiments/plot.py", "no right to execute")
        (self.root / "experiments/plot.py").chmod(0o755)
        self.assertEqual(list(check_house.violations(self.root)), [])

    def test_script_that_cannot_be_read(self):
        for file in ("experiments/table.py", "experiments/queue.sh"):
            with self.subTest(file):
                self.plant(file, "if (\n")
                self.expect(file, "found")
                self.plant(file, "")

    def test_project_below_a_folder_of_data(self):
        root = self.root / "golden" / "project"
        root.mkdir(parents=True)
        self.assertEqual(len(list(check_house.violations(root))), 1)
        self.root = root
        self.plant("paretofl/core/server.cpp", '#include "paretofl/wire/message.h"\n')
        self.expect("paretofl/wire/message.h")

    def test_source_to_execute(self):
        (self.root / "Makefile").chmod(0o755)
        self.expect("Makefile", "a file to execute")

    def test_vague_name(self):
        self.plant("paretofl/core/utils.h", HEADER)
        self.expect("utils.h")

    def test_torch_outside_its_files(self):
        self.plant("paretofl/models/lenet.cpp", "#include <torch/torch.h>\n")
        self.expect("paretofl/models/lenet.cpp", "<torch/torch.h>")

    def test_torch_in_a_header(self):
        self.plant("paretofl/models/torch_model.h", HEADER + "#include <ATen/core/Tensor.h>\n#include <torch/torch.h>\n")
        self.expect("paretofl/models/torch_model.h", "<torch/torch.h>")

    def test_header_without_pragma_once(self):
        self.plant("paretofl/core/layout.h", "\n")
        self.expect("#pragma once")

    def test_a_wait_without_a_limit(self):
        self.plant("paretofl/core/thread_pool.cpp", "changed_.wait(lock, ready);\n")
        self.expect("paretofl/core/thread_pool.cpp", "wait_for")

    def test_unfinished_work(self):
        self.plant("apps/main.cpp", "// TO" + "DO\n")
        self.expect("apps/main.cpp")


if __name__ == "__main__":
    unittest.main()
