#!/usr/bin/env bash
# Records mixed.pcapng: real clients and servers behind a switch, all in network namespaces of their own.
#
#   sudo examples/captures/record-mixed.sh [OUTPUT]        (default: mixed.pcapng beside this script)
#
# Needs root and, on Debian: iproute2 ethtool nftables tcpdump tshark nginx-light curl bind9-dnsutils dnsmasq-base
# busybox iputils-ping python3. Takes about a minute. Ends only the processes it started, removes only the namespaces it made.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
output=${1:-$here/mixed.pcapng}
run="mixed$$"
work=$(mktemp -d)
namespaces=()
recorder=

server4=10.1.0.1
server6=fd00:1::1

say() { printf '%s\n' "$*" >&2; }
fail() { say "record-mixed: $*"; exit 1; }

clean_up() {
    local status=$? running=()
    trap - EXIT
    mapfile -t running < <(jobs -pr)
    ((${#running[@]} == 0)) || kill "${running[@]}" 2>/dev/null || true
    wait
    for name in "${namespaces[@]}"; do ip netns del "$name"; done
    if ((status != 0)); then
        say "record-mixed: failed, status=$status; output of the programs:"
        tail -n 5 "$work"/*.log >&2 || true
    fi
    rm -rf "$work"
    exit "$status"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'say "record-mixed: line $LINENO: $BASH_COMMAND"' ERR

# inside HOST COMMAND...: runs a command in a host's namespace.
inside() { local host=$1; shift; ip netns exec "$run-$host" "$@"; }

# start LOG HOST COMMAND...: the same, in the background until this script ends.
start() {
    local log=$work/$1.log host=$2; shift 2
    ip netns exec "$run-$host" "$@" >"$log" 2>&1 &
}

# until_true COMMAND...: waits up to ten seconds.
until_true() {
    for _ in {1..100}; do
        if "$@" >/dev/null 2>&1; then return; fi
        sleep 0.1
    done
    fail "still not true after 10 s: $*"
}

# check_fails COMMAND...: for what must not succeed, such as a refused connection.
check_fails() { if "$@" >/dev/null 2>&1; then fail "should have failed: $*"; fi; }

check_tools() {
    ((EUID == 0)) || fail "not root; run it with sudo"
    for tool in ip ethtool nft tcpdump tshark editcap nginx curl dig dnsmasq busybox ping python3; do
        command -v "$tool" >/dev/null || fail "missing: $tool; see the packages in the head of this script"
    done
}

# ---------------------------------------------------------------------------------------------------- the network

add_namespace() {
    ip netns add "$run-$1"
    namespaces+=("$run-$1")
    ip -n "$run-$1" link set lo up
}

wire_like() { # frames as on a wire: no segments larger than the MTU, checksums filled in
    inside "$1" ethtool -K "$2" tso off gso off gro off tx off rx off txvlan off rxvlan off >/dev/null
}

add_switch() {
    add_namespace switch
    inside switch sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
    ip -n "$run-switch" link add bridge address 02:00:0a:01:ff:01 type bridge mcast_snooping 0
    ip -n "$run-switch" link set bridge up
}

# add_host NAME MAC: a host whose eth0 is plugged into the switch, still down.
add_host() {
    local port_address=02:00:0a:01:f0:${2##*:}
    add_namespace "$1"
    inside "$1" sysctl -qw net.ipv4.conf.all.arp_notify=1 net.ipv4.conf.default.arp_notify=1 \
        net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.default.rp_filter=0
    ip -n "$run-$1" link add eth0 address "$2" type veth peer name "port-$1" address "$port_address" netns "$run-switch"
    wire_like "$1" eth0
    wire_like switch "port-$1"
    ip -n "$run-switch" link set "port-$1" master bridge up
}

add_hosts() {
    add_host server 02:00:0a:01:00:01
    add_host c10 02:00:0a:01:00:10
    add_host c11 02:00:0a:01:00:11
    add_host c12 02:00:0a:01:00:12
    add_host guest 02:00:0a:01:07:20
    inside server sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1 net.ipv4.tcp_fastopen=3 \
        net.ipv4.icmp_ratelimit=0 net.ipv6.icmp.ratelimit=0 net.ipv4.conf.all.send_redirects=0
    inside c10 sysctl -qw net.ipv4.tcp_fastopen=1
    inside c11 sysctl -qw net.ipv4.conf.eth0.force_igmp_version=2
    inside c12 sysctl -qw net.ipv4.tcp_ecn=1
    inside guest sysctl -qw net.ipv4.tcp_timestamps=0 net.ipv4.tcp_sack=0 net.ipv4.tcp_window_scaling=0
}

settled() { # duplicate address detection has ended
    [[ -z $(ip -n "$run-$1" -6 addr show tentative) ]]
}

# plug_in HOST LAST: addresses 10.1.0.LAST and fd00:1::LAST, link up.
plug_in() {
    inside "$1" sysctl -qw net.ipv6.conf.eth0.accept_ra=0
    ip -n "$run-$1" addr add "10.1.0.$2/16" broadcast + dev eth0
    ip -n "$run-$1" addr add "fd00:1::$2/64" dev eth0
    ip -n "$run-$1" link set eth0 up
}

plug_in_clients() {
    local last
    for last in 10 11 12; do
        plug_in "c$last" "$last"
        ip -n "$run-c$last" route add default via "$server4"
        ip -n "$run-c$last" -6 route add default via "$server6"
    done
    for last in 10 11 12; do until_true settled "c$last"; done
}

# add_tagged HOST TAP LAST MAC NETWORK MTU TAG...: a tagged interface with 10.NETWORK.0.LAST and fd00:NETWORK::LAST.
add_tagged() {
    local host=$1 tap=$2 last=$3 mac=$4 network=$5 mtu=$6; shift 6
    start "tagger-$host-$tap" "$host" python3 "$here/tagger.py" eth0 "$tap" "$@"
    until_true ip -n "$run-$host" link show "$tap"
    inside "$host" sysctl -qw "net.ipv6.conf.$tap.accept_ra=0"
    ip -n "$run-$host" link set "$tap" address "$mac" mtu "$mtu"
    ip -n "$run-$host" addr add "10.$network.0.$last/24" dev "$tap"
    ip -n "$run-$host" addr add "fd00:$network::$last/64" dev "$tap"
    ip -n "$run-$host" link set "$tap" up
    until_true settled "$host"
}

add_vlans() { # VLAN 100 to c11; VLAN 300 inside the service VLAN 200 to c12; the server's frames carry priorities
    add_tagged server v100 1 02:00:0a:64:00:01 100 1500 8100:a064
    add_tagged c11 v100 11 02:00:0a:64:00:11 100 1500 8100:0064
    add_tagged server q300 1 02:00:0a:c8:00:01 200 1492 88a8:60c8 8100:712c
    add_tagged c12 q300 12 02:00:0a:c8:00:12 200 1492 88a8:00c8 8100:012c
    # What came in tagged is answered tagged.
    ip -n "$run-c12" rule add from 10.200.0.12 lookup 200
    ip -n "$run-c12" route add default via 10.200.0.1 table 200
    ip -n "$run-c12" -6 rule add from fd00:200::12 lookup 200
    ip -n "$run-c12" -6 route add default via fd00:200::1 table 200
}

# ---------------------------------------------------------------------------------------------------- the servers

start_nginx() {
    mkdir -p "$work/www" "$work/nginx"
    printf '<html><link rel="stylesheet" href="style.css"><img src="image.svg">A small page.</html>\n' >"$work/www/index.html"
    printf 'body { margin: %d%%; }\n' {1..60} >"$work/www/style.css"
    printf '{"reading": %d}\n' {1..200} >"$work/www/data.json"
    printf '<svg xmlns="http://www.w3.org/2000/svg"><circle r="9"/></svg>\n' >"$work/www/image.svg"
    seq -f 'line %07.0f of a long text' 10000 >"$work/long.txt"
    head -c 196608 "$work/long.txt" >"$work/www/large.txt"
    head -c 40960 "$work/long.txt" >"$work/www/medium.txt"
    cat >"$work/nginx.conf" <<CONF
daemon off;
master_process off;
pid $work/nginx/pid;
events { worker_connections 64; }
http {
    default_type text/plain;
    access_log off;
    server_tokens off;
    client_body_temp_path $work/nginx/body;
    proxy_temp_path $work/nginx/proxy;
    fastcgi_temp_path $work/nginx/fastcgi;
    uwsgi_temp_path $work/nginx/uwsgi;
    scgi_temp_path $work/nginx/scgi;
    server {
        listen 80 fastopen=16;
        listen [::]:80 ipv6only=on;
        root $work/www;
        location /upload { return 204; }
    }
}
CONF
    start nginx server nginx -e stderr -c "$work/nginx.conf"
}

start_dnsmasq() { # names, DHCP for the guest, router advertisements
    local text
    text=$(printf 'x%.0s' {1..250})
    cat >"$work/dnsmasq.conf" <<CONF
no-daemon
no-resolv
no-hosts
user=root
interface=eth0
bind-dynamic
pid-file=$work/dnsmasq.pid
dhcp-leasefile=$work/dnsmasq.leases
local=/example.test/
local=/in-addr.arpa/
host-record=www.example.test,$server4,$server6
host-record=c10.example.test,10.1.0.10,fd00:1::10
cname=web.example.test,www.example.test
mx-host=example.test,www.example.test,10
srv-host=_http._tcp.example.test,www.example.test,80,0,5
txt-record=example.test,"v=spf1 -all"
txt-record=long.example.test,"$text","$text","$text"
dhcp-range=10.1.7.20,10.1.7.20,255.255.0.0,1h
dhcp-option=option:router,$server4
no-ping
enable-ra
dhcp-range=fd00:1::,ra-only,64
CONF
    start dnsmasq server dnsmasq --conf-file="$work/dnsmasq.conf"
}

start_servers() {
    start_nginx
    start_dnsmasq
    start echo server python3 "$here/sockets.py" echo
    until_true inside server curl -sf -o /dev/null "http://$server4/"
    until_true inside server dig +time=1 +tries=1 "@$server4" www.example.test
    until_true inside server python3 "$here/sockets.py" tcp "$server4" 1
}

# ---------------------------------------------------------------------------------------------------- the traffic

get() { local host=$1; shift; inside "$host" curl -sS -g --max-time 20 -o /dev/null "$@"; }
sockets() { local host=$1; shift; inside "$host" python3 "$here/sockets.py" "$@"; }
forget_neighbours() { ip -n "$run-$1" neigh flush dev eth0; ip -n "$run-$1" -6 neigh flush dev eth0; }
pings() { local host=$1; shift; inside "$host" ping -q -n -W 2 "$@" >/dev/null; }

routes6() { # a router has advertised itself
    [[ -n $(ip -n "$run-$1" -6 route show default) ]]
}

guest_arrives() { # SLAAC and DHCP
    cat >"$work/lease.sh" <<'LEASE'
#!/bin/sh
[ "$1" = bound ] || exit 0
ip addr add "$ip/$mask" broadcast + dev "$interface"
ip route add default via "$router"
LEASE
    chmod +x "$work/lease.sh"
    ip -n "$run-guest" link set eth0 up
    until_true settled guest
    inside guest busybox udhcpc -q -n -f -t 5 -i eth0 -s "$work/lease.sh" >"$work/udhcpc.log" 2>&1
    until_true routes6 guest
}

http() {
    local site4="http://$server4" site6="http://[$server6]" last
    for last in 10 11 12; do # several objects over one connection each
        get "c$last" "$site4/" -o /dev/null "$site4/style.css" -o /dev/null "$site4/data.json" -o /dev/null "$site4/image.svg"
        get "c$last" "$site6/" -o /dev/null "$site6/style.css" -o /dev/null "$site6/missing.html"
        get "c$last" "$site4/missing.html"
        get "c$last" -I "$site4/large.txt"
    done
    get guest "$site4/" -o /dev/null "$site4/data.json"
    get guest "$site6/"
    get c10 "$site4/large.txt"
    get c11 "$site6/medium.txt"
    get c12 -r 1000-1999 "$site4/medium.txt"
    get c12 --data-binary "@$work/www/style.css" "$site4/upload"
    for _ in 1 2; do get c10 --tcp-fastopen "$site4/data.json"; done # the second SYN carries the cookie and the request
    check_fails get c11 "$site4:81/"
    check_fails get c11 "$site6:81/"
    check_fails get guest "$site4:8080/"
}

lossy_upload() { # the switch loses one frame in ten before it is recorded: duplicate acknowledgements, SACK, retransmissions
    inside switch nft -f - <<'RULES'
table bridge loss {
    chain forward {
        type filter hook forward priority 0
        ether saddr 02:00:0a:01:00:12 ether daddr 02:00:0a:01:00:01 ip protocol tcp numgen inc mod 10 == 7 drop
    }
}
RULES
    get c12 -H 'Expect:' --data-binary "@$work/www/medium.txt" "http://$server4/upload"
    inside switch nft delete table bridge loss
}

dns() {
    local last server kind
    for last in 10 11 12; do
        for server in "$server4" "$server6"; do
            for kind in A AAAA; do
                ask "c$last" "$server" "$kind" www.example.test web.example.test nothing.example.test
                ask "c$last" "$server" "$kind" +noedns c10.example.test
                ask "c$last" "$server" "$kind" +tcp www.example.test
            done
            ask "c$last" "$server" TXT example.test long.example.test
            ask "c$last" "$server" TXT +tcp long.example.test
            ask "c$last" "$server" TXT +noedns long.example.test # truncated, asked again over TCP
        done
    done
    ask guest "$server4" MX example.test
    ask guest "$server4" SRV _http._tcp.example.test
    ask guest "$server4" PTR 1.0.1.10.in-addr.arpa
    ask guest "$server6" AAAA www.example.test
    check_fails inside guest dig +time=1 +tries=1 -p 5353 @224.0.0.251 www.local A # a one-shot mDNS question
    check_fails inside guest dig +time=1 +tries=1 -p 5353 @ff02::fb%eth0 www.local AAAA
}

# ask HOST SERVER TYPE [+OPTION] NAME...
ask() {
    local host=$1 server=$2 kind=$3 option=+edns; shift 3
    if [[ $1 == +* ]]; then option=$1; shift; fi
    for name in "$@"; do inside "$host" dig +time=2 +tries=2 "$option" "@$server" "$name" "$kind" >/dev/null; done
}

udp() {
    local sizes=(0 1 2 3 4 8 17 18 19 26 63 64 65 100 127 128 200 255 256 400 511 512 513 750 1000 1023 1024 1025 1280 1400)
    sockets c10 udp "$server4" "${sizes[@]}" 1471 1472
    sockets c11 udp "$server6" "${sizes[@]}" 1451 1452
    sockets c12 udp "$server4" 1 22 333 1472 1473 5000
    sockets guest udp "$server4" 1 10 100
    sockets guest udp "$server6" 1 10 100
    sockets c10 options4 "$server4"
    sockets c11 options6 "$server6"
}

tcp() {
    sockets c10 tcp "$server4" 200
    sockets c11 tcp "$server6" 120
    sockets c12 tcp "$server4" 60
    sockets guest tcp "$server4" 40
    sockets c10 mptcp "$server4"
    sockets c11 reset "$server4"
    sockets c12 reset "$server6"
}

icmp() {
    local size
    for size in 0 1 8 17 56 100 500 1000 1471 1472; do pings c10 -c 2 -i 0.01 -s "$size" "$server4"; done
    for size in 0 1 8 56 500 1451 1452; do pings c11 -c 2 -i 0.01 -s "$size" "$server6"; done
    for last in 10 11 12; do
        pings "c$last" -c 20 -i 0.005 "$server4"
        pings "c$last" -c 10 -i 0.005 "$server6"
        forget_neighbours "c$last"
    done
    pings guest -c 5 -i 0.01 "$server4"
    pings guest -c 5 -i 0.01 "$server6"
    pings c11 -c 2 -i 0.01 -s 4000 "$server4" # fragments
    pings c12 -c 2 -i 0.01 -s 1473 "$server4"
    pings c10 -c 2 -i 0.01 -s 3000 "$server6"
    pings c10 -c 2 -i 0.01 -R "$server4" # record route
    pings c10 -c 2 -i 0.01 -T tsandaddr "$server4" # time stamps
    pings c11 -c 2 -i 0.01 -T tsonly "$server4"
    pings c12 -c 2 -i 0.01 -Q 0xb8 -p ff00 "$server4"
}

icmp_errors() {
    check_fails inside c10 dig +time=1 +tries=1 -p 9999 "@$server4" port.unreachable
    check_fails inside c11 dig +time=1 +tries=1 -p 9999 "@$server6" port.unreachable
    ip -n "$run-server" route add unreachable 10.2.0.0/24
    ip -n "$run-server" -6 route add unreachable fd00:2::/64
    check_fails pings c10 -c 2 -i 0.01 -W 1 10.2.0.9
    check_fails pings c10 -c 2 -i 0.01 -W 1 fd00:2::9
    check_fails pings c11 -c 2 -i 0.01 -W 1 -t 1 10.200.0.12 # time to live exceeded
    check_fails pings c11 -c 2 -i 0.01 -W 1 -t 1 fd00:200::12
    check_fails pings c12 -c 1 -W 1 10.1.0.99 # nobody answers the ARP request
    pings c10 -c 2 -i 0.01 10.200.0.12 # routed: once untagged, once tagged
    pings c10 -c 2 -i 0.01 fd00:200::12
    check_fails pings c10 -c 2 -i 0.01 -W 1 -M "do" -s 1472 10.200.0.12 # fragmentation needed
    pings c10 -c 4 -i 0.2 -s 1452 fd00:200::12 || true # packet too big, then fragments
}

tagged() {
    local host address network
    for address in 11:100 12:200; do
        host=c${address%:*} network=${address#*:}
        for destination in "10.$network.0.1" "fd00:$network::1"; do
            pings "$host" -c 5 -i 0.01 "$destination"
            pings "$host" -c 2 -i 0.01 -s 1200 "$destination"
            pings "$host" -c 1 -s 3000 "$destination"
            sockets "$host" udp "$destination" 1 18 64 128 512 1024 1444
            sockets "$host" tcp "$destination" 15
        done
        get "$host" "http://10.$network.0.1/" -o /dev/null "http://10.$network.0.1/data.json"
        get "$host" "http://[fd00:$network::1]/" -o /dev/null "http://[fd00:$network::1]/style.css"
    done
    pings c11 -c 2 -i 0.01 -s 1472 10.100.0.1 # 1518 bytes on the wire
}

groups() {
    local listener=() host
    for host in c10 c11 guest; do
        sockets "$host" join 3 239.1.1.1 ff05::114 &
        listener+=($!)
    done
    sleep 2
    sockets c12 multicast 239.1.1.1 ff05::114 224.0.0.1 ff02::1
    sockets guest broadcast 255.255.255.255 10.1.255.255
    wait "${listener[@]}"
    sleep 1.5 # the reports of those who left
}

switch_talks() { # frames that are not IP: spanning tree (802.3 with LLC) and LLDP
    ip -n "$run-switch" link set bridge type bridge stp_state 1 hello_time 100
    sockets switch lldp port-server
    sleep 4
    sockets switch lldp port-server
    ip -n "$run-switch" link set bridge type bridge stp_state 0
}

# ---------------------------------------------------------------------------------------------------- the recording

start_recorder() {
    ip netns exec "$run-switch" tcpdump -i port-server -n -U -Z root -s 0 -B 16384 --time-stamp-precision nano \
        -w "$work/mixed.pcap" >"$work/tcpdump.log" 2>&1 &
    recorder=$!
    until_true grep -q 'listening on' "$work/tcpdump.log"
}

stop_recorder() {
    sleep 2 # the kernel hands blocks of packets over with a delay
    kill -INT "$recorder"
    wait "$recorder"
    grep -q '^0 packets dropped by kernel' "$work/tcpdump.log" || fail "the recording lost packets"
    editcap -F pcapng --capture-comment "Linerate example: clients and servers in network namespaces, seen at the server's switch port" \
        "$work/mixed.pcap" "$work/mixed.pcapng"
}

selected() { # the packets that a display filter selects, every checksum verified
    tshark -r "$1" -o ip.check_checksum:TRUE -o tcp.check_checksum:TRUE -o udp.check_checksum:TRUE -Y "$2" 2>>"$work/tshark.log"
}

verify() {
    local wrong bad='checksum.status == "Bad"'
    wrong=$(selected "$1" "_ws.malformed || ip.$bad || tcp.$bad || udp.$bad || icmp.$bad || icmpv6.$bad || igmp.$bad")
    [[ -z $wrong ]] || fail "malformed packets or bad checksums:"$'\n'"$wrong"
    wrong=$(selected "$1" 'frame.len > 1518')
    [[ -z $wrong ]] || fail "frames longer than a wire carries:"$'\n'"$wrong"
}

main() {
    check_tools
    say "network"; add_switch; add_hosts
    start_recorder
    plug_in server 1
    until_true settled server
    start_servers
    plug_in_clients
    guest_arrives
    say "http"; http
    say "lossy upload"; lossy_upload
    say "dns"; dns
    say "udp"; udp
    say "tcp"; tcp
    say "icmp"; icmp
    say "vlan"; add_vlans; tagged
    say "icmp errors"; icmp_errors
    say "multicast"; groups
    say "switch"; switch_talks
    stop_recorder
    verify "$work/mixed.pcapng"
    cp "$work/mixed.pcapng" "$output"
    say "wrote $output: $(selected "$output" frame | wc -l) packets, $(stat -c %s "$output") bytes"
}

main
