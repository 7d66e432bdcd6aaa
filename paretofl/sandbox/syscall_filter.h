#pragma once

#include <string>

namespace paretofl {

/// The bytes of a seccomp program (an array of struct sock_filter) that refuses what namespaces and limits leave open:
/// looking into other processes (ptrace and the like), memory that no limit counts (memfd_create, System V shared memory),
/// namespaces and mounts, sockets of families that a network namespace does not hold (vsock, packet, netlink), outliving
/// the process that started it (PR_SET_PDEATHSIG), and what only system software needs (bpf, keys, io_uring, modules). Refused calls fail
/// with EPERM, clone3 with ENOSYS, so that libraries fall back to clone, whose flags the filter sees. Calls of another architecture kill
/// the process. Throws Error if this is built for a processor other than x86-64 and AArch64.
std::string syscall_filter();

}  // namespace paretofl
