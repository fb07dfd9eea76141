# Makes the first file system of the virtual machine: busybox, the modules of the kernel that it needs, and "init".
#
#   sh make-initramfs.sh FILES INIT FOLDER
#
# FILES is where the packages of the kernel and of busybox-static are unpacked. FOLDER gets "initramfs" and "vmlinuz".
set -eu
files=$1 init=$2 folder=$3
busybox=$files/bin/busybox
release=$(basename "$files"/lib/modules/*)
modules=lib/modules/$release
root=$folder/root

rm -rf "$root"
mkdir -p "$root/bin" "$root/$modules"
cp "$busybox" "$root/bin/busybox"
cp "$init" "$root/init"
chmod 755 "$root/init"
cp "$files/$modules"/modules.* "$root/$modules"
for part in fs/9p fs/netfs fs/fscache fs/overlayfs net/9p drivers/virtio drivers/vfio drivers/uio virt/lib; do
  [ -d "$files/$modules/kernel/$part" ] || continue
  mkdir -p "$root/$modules/kernel/$part"
  cp -r "$files/$modules/kernel/$part/." "$root/$modules/kernel/$part"
done
"$busybox" depmod -b "$root" "$release"
(cd "$root" && find . | "$busybox" cpio -o -H newc 2>/dev/null) | gzip -1 >"$folder/initramfs"
cp "$files/boot/vmlinuz-$release" "$folder/vmlinuz"
rm -rf "$root"
