// SPDX-License-Identifier: Apache-2.0
#include "model/file_system.h"

#include <algorithm>
#include <iterator>

namespace gpusight {
namespace {

constexpr std::string_view kNetwork[] = {
    "nfs",   "nfs3", "nfs4",   "cifs",  "smb3",     "smbfs",  "ceph",      "lustre",
    "gpfs",  "mmfs", "beegfs", "9p",    "afs",      "coda",   "glusterfs", "orangefs",
    "pvfs2", "weka", "wekafs", "panfs", "virtiofs", "vboxsf", "vmhgfs",    "prl_fs",
    "ncpfs", "dtfs", "gfs2",   "ocfs2", "cpfs",     "yrfs",   "xgfs",      "quobyte"};

// Programs behind FUSE that serve what lies on this machine.
constexpr std::string_view kLocalFuse[] = {
    "fuse.lxcfs",      "fuse.gvfsd-fuse",    "fuse.portal",        "fuse.fuse-overlayfs",
    "fuse.squashfuse", "fuse.squashfuse_ll", "fuse.snapfuse",      "fuse.mergerfs",
    "fuse.unionfs",    "fuse.ntfs-3g",       "fuse.ntfs",          "fuse.exfat",
    "fuse.encfs",      "fuse.gocryptfs",     "fuse.bindfs",        "fuse.archivemount",
    "fuse.ratarmount", "fuse.fuse2fs",       "fuse.vmware-vmblock"};

constexpr std::string_view kPseudo[] = {
    "proc",    "sysfs",   "devtmpfs",   "devpts",   "cgroup",     "cgroup2",  "mqueue",
    "debugfs", "tracefs", "securityfs", "pstore",   "bpf",        "configfs", "binfmt_misc",
    "autofs",  "nsfs",    "hugetlbfs",  "efivarfs", "rpc_pipefs", "fusectl",  "fuse.lxcfs"};

template <typename List>
bool Has(const List& list, std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

}  // namespace

bool IsNetworkFileSystem(std::string_view type) {
  if (type == "fuse" || type.starts_with("fuse.")) return !Has(kLocalFuse, type);
  return Has(kNetwork, type);
}

bool IsPseudoFileSystem(std::string_view type) { return Has(kPseudo, type); }

}  // namespace gpusight
