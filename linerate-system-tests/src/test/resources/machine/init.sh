#!/bin/busybox sh
# The first process of the virtual machine: makes the host's files its own, binds the network cards to the drivers that the
# kernel's command line names, and then runs what the host puts into the shared folder.
#
#   linerate.share=FOLDER      the shared folder, which has the same name on the host
#   linerate.bind=ADDRESS/DRIVER,...
/bin/busybox --install -s /bin
export PATH=/bin
mkdir -p /proc /sys /dev /host /changes /root
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev

# The value of $1 on the kernel's command line.
setting() { tr ' ' '\n' </proc/cmdline | sed -n "s:^$1=::p"; }

modprobe -a virtio_pci 9pnet_virtio 9p overlay vfio-pci vfio_iommu_type1 uio_pci_generic

# The host's files can be read, and what is written stays in this machine's memory.
mount -t 9p -o trans=virtio,version=9p2000.L,ro,cache=loose,msize=512000 host /host
mount -t tmpfs none /changes
mkdir /changes/files /changes/work
mount -t overlay -o lowerdir=/host,upperdir=/changes/files,workdir=/changes/work none /root

share=$(setting linerate.share)
mount -t 9p -o trans=virtio,version=9p2000.L,cache=none,msize=512000 share "/root$share"

for pair in $(setting linerate.bind | tr ',' ' '); do
  device=/sys/bus/pci/devices/${pair%/*}
  echo "${pair#*/}" >"$device/driver_override"
  [ ! -e "$device/driver" ] || echo "${pair%/*}" >"$device/driver/unbind"
  echo "${pair%/*}" >/sys/bus/pci/drivers_probe
  echo "linerate: ${pair%/*} $(cat "$device/vendor" "$device/device" | tr '\n' ' ')is bound to $(readlink "$device/driver")"
done

for folder in proc sys dev; do
  mount --move "/$folder" "/root/$folder"
done
mkdir -p /root/dev/shm
mount -t tmpfs none /root/dev/shm
mount -t tmpfs none /root/run
ifconfig lo up
cp /bin/busybox /root/run/busybox
echo "linerate: up after $(cut -d' ' -f1 /root/proc/uptime) s"
exec switch_root /root /run/busybox sh "$share/commands.sh"
