import type { ChineseRows } from '#contract/text/translated.ts';

/** The route, DNS and certificates. */
export const networkRows: ChineseRows = {
  'required hosts cannot be reached through the proxy client': '无法通过代理客户端访问必需的主机',
  'required hosts cannot be reached directly': '无法直接访问必需的主机',
  'required hosts cannot be reached through {}': '无法通过 {1} 访问必需的主机',
  '{} is not reachable: HTTP status {}': '无法访问 {1}：HTTP 状态 {2}',
  'Try again later, or set another route or mirror in the site.':
    '稍后再试，或在站点中换一条线路或镜像源。',
  '{} is not reachable: no response within {} s': '无法访问 {1}：{2} 秒内没有响应',
  'Set a mirror or a proxy in the site that is closer to this server.':
    '在站点中设置离这台服务器更近的镜像源或代理。',
  'none of the destinations can be reached': '所有目的地都无法访问',
  'apt does not use the proxy of the site': 'apt 没有使用站点的代理',
  'the system does not trust the CA of the site': '系统不信任站点的 CA',

  'this server has no /dev/net/tun': '这台服务器没有 /dev/net/tun',
  'another program of this server redirects its routes': '服务器上有其他程序在改写路由',
  'the interface {}': '网卡 {1}',
  'packets of this server do not enter the TUN interface': '服务器的数据包没有进入 TUN 网卡',
  'the proxy client does not start with a TUN interface': '代理客户端无法以 TUN 网卡启动',
  'replies to connections from outside enter the TUN interface': '对外部连接的回复进入了 TUN 网卡',
  'the capture of connections does not work': '接管连接没有生效',
  'no imported proxy works: {}': '导入的代理节点都不可用：{1}',
  'the proxy client rejects its settings': '代理客户端不接受设置',
  'the proxy client does not start': '代理客户端无法启动',
  'the proxy client is not running': '代理客户端没有运行',
  'the release does not contain a proxy client': '版本中没有代理客户端',
  'no proxies are imported on this server': '这台服务器没有导入代理节点',
  'waiting for proxies; import them on this server: sudo landfall route import <file>':
    '等待代理节点；在这台服务器上导入：sudo landfall route import <文件>',
  'DNS over TLS is not possible: systemd-resolved does not resolve the names of this server':
    '无法使用 DNS over TLS：这台服务器的域名不由 systemd-resolved 解析',
  'no DNS server answers: {}': '没有 DNS 服务器响应：{1}',
  'the HTTP proxy at {} is not running': '{1} 的 HTTP 代理没有运行',
  'another tinyproxy uses /{}': '另一个 tinyproxy 在使用 /{1}',
  'Remove it with `sudo apt-get purge tinyproxy`, or set another route.':
    '用 `sudo apt-get purge tinyproxy` 删除它，或换一条线路。',
  'user {} cannot be redirected: {}': '无法转发用户 {1} 的连接：{2}',
  'the user does not exist': '用户不存在',
  'the services of this server run as root': '服务器的服务以 root 运行',
  'its connections would be redirected to itself': '它的连接会转发给它自己',
  'the ID of this user changes': '这个用户的 ID 会变化',
  'the redirected users or redsocks have no account': '转发的用户或 redsocks 没有账户',
  'Run `sudo landfall route redirect --off`, then `sudo landfall route redirect --user <name>`.':
    '运行 `sudo landfall route redirect --off`，再运行 `sudo landfall route redirect --user <名称>`。',
  'redirected users cannot use': '转发的用户不能使用',
  ' as the route of the site, or run `sudo landfall route redirect --off`':
    '设为站点的线路，或运行 `sudo landfall route redirect --off`',
  '{} is not the SOCKS5 server of the site': '{1} 不是站点的 SOCKS5 服务器',
  'the SOCKS5 server does not listen at {}': 'SOCKS5 服务器没有监听 {1}',

  'the gateway has no valid certificate': '网关没有有效的证书',
  'no certificate is installed': '没有安装证书',
  'no certificate in /{} yet': '/{1} 中还没有证书',
  'invalid certificate in /{}': '/{1} 中的证书无效',
  '/{}/{} is no folder': '/{1}/{2} 不是文件夹',
  'Remove /{}, and run the command again.': '删除 /{1}，再重新运行这条命令。',
  "the certificate authority's terms are not accepted": '没有接受证书颁发机构的条款',
  'domain verification failed': '域名验证失败',
  'rate-limited by the certificate authority: {}': '证书颁发机构限制了请求频率：{1}',
  'rejected by the certificate authority ({}): {}': '证书颁发机构拒绝了请求（{1}）：{2}',
  'lego failed': 'lego 失败',
  'credentials of the DNS provider are missing': '缺少 DNS 托管商的凭据',
  'untrusted TLS certificate of the certificate authority': '证书颁发机构的 TLS 证书不受信任',
  'the TLS certificate of the certificate authority is not valid at the time of this server':
    '按照这台服务器的时间，证书颁发机构的 TLS 证书无效',
  'the certificate authority responds with errors': '证书颁发机构返回错误',
  'cannot connect to the certificate authority': '无法连接证书颁发机构',
  'a host name does not resolve to this server yet': '有域名还没有解析到这台服务器',
  '{} host names do not resolve to this server yet': '有 {1} 个域名还没有解析到这台服务器',
  'Create the records above and wait: new records usually take 30 seconds to 2 minutes, and the certificate is then requested automatically.':
    '添加上面的记录并等待：新记录通常在 30 秒到 2 分钟后生效，然后会自动申请证书。',
};
