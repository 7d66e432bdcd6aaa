#include "paretofl/sandbox/syscall_filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
constexpr std::uint32_t kOtherAbi = 0x40000000;  // x32's numbers begin here
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
constexpr std::uint32_t kOtherAbi = 0;
#else
constexpr std::uint32_t kArchitecture = 0;
constexpr std::uint32_t kOtherAbi = 0;
#endif

constexpr std::uint32_t kNamespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

constexpr long kRefused[] = {
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_pidfd_getfd,
    SYS_kcmp,  // other processes
    SYS_memfd_create,
    SYS_memfd_secret,
    SYS_shmget,
    SYS_msgget,
    SYS_semget,
    SYS_mq_open,  // uncounted memory
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    SYS_open_tree,  // namespaces
    SYS_move_mount,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    SYS_mount_setattr,  //
    SYS_open_by_handle_at,
    SYS_name_to_handle_at,
    SYS_quotactl,
    SYS_quotactl_fd,
    SYS_acct,  //
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_io_uring_setup,
    SYS_io_uring_enter,  // system software
    SYS_io_uring_register,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_kexec_load,
    SYS_kexec_file_load,  //
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_syslog,
};

constexpr std::uint32_t kRefuse = SECCOMP_RET_ERRNO | EPERM;

using Program = std::vector<sock_filter>;

void load(Program& program, std::size_t offset) {
  program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
}

/// Ends with `verdict` where the loaded number is `value`.
void when_equal(Program& program, std::uint32_t value, std::uint32_t verdict) {
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
  program.push_back(BPF_STMT(BPF_RET | BPF_K, verdict));
}

}  // namespace

std::string syscall_filter() {
  expect(kArchitecture != 0, "sandbox: expected a build for x86-64 or AArch64, found another processor");
  Program program;
  load(program, offsetof(seccomp_data, arch));
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0));
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  load(program, offsetof(seccomp_data, nr));
  if (kOtherAbi != 0) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kOtherAbi, 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  }
  for (const long call : kRefused) when_equal(program, static_cast<std::uint32_t>(call), kRefuse);
  when_equal(program, SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);

  constexpr std::size_t kFirstArgument = offsetof(seccomp_data, args);  // its lower half: both processors are little-endian
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4));
  load(program, kFirstArgument);
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, kNamespaces, 0, 1));
  program.push_back(BPF_STMT(BPF_RET | BPF_K, kRefuse));
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));

  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 4));
  load(program, kFirstArgument);
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_PDEATHSIG, 0, 1));
  program.push_back(BPF_STMT(BPF_RET | BPF_K, kRefuse));
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));

  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 1, 0));
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  load(program, kFirstArgument);
  for (const std::uint32_t family : {AF_UNIX, AF_INET, AF_INET6}) when_equal(program, family, SECCOMP_RET_ALLOW);
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAFNOSUPPORT));
  return {reinterpret_cast<const char*>(program.data()), program.size() * sizeof(sock_filter)};
}

}  // namespace paretofl
