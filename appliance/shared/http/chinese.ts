import type { ChineseRows } from '#contract/text/translated.ts';

/** HTTP, proxies and certificates: why a connection failed, and what to do. */
export const httpRows: ChineseRows = {
  'the additional certificate authorities are not PEM certificates':
    '另外指定的证书颁发机构不是 PEM 证书',
  'Use a file with one or more blocks that begin with -----BEGIN CERTIFICATE-----.':
    '使用含有 -----BEGIN CERTIFICATE----- 的文件。',
  'Try again later, or use a closer mirror or proxy.': '稍后再试，或换用更近的镜像源或代理。',
  'Check the host name and the network; if a proxy is required, set HTTPS_PROXY or --proxy.':
    '检查域名和网络；需要代理时，设置 HTTPS_PROXY 或 --proxy。',
  'Check the host name and the network; if a proxy is required, set route in site.yaml.':
    '检查域名和网络；需要代理时，在 site.yaml 中设置 route。',
  'Check the proxy and its rules, or add the host to route.no_proxy in site.yaml to bypass it.':
    '检查代理及其规则，或把主机加入 site.yaml 的 route.no_proxy 直连。',
  'Check the proxy and its rules, or add the host to NO_PROXY to bypass it.':
    '检查代理及其规则，或把主机加入 NO_PROXY 直连。',
  'cannot establish a trusted connection to {}: {}': '无法与 {1} 建立受信任的连接：{2}',
  '{} is unreachable: {}': '无法连接 {1}：{2}',
  '{} did not respond within {}': '{1} 在 {2} 内没有响应',
  '{}: {}; retrying in {}': '{1}：{2}；{3} 后重试',
  'authentication failed': '登录失败',
  'the proxy {} cannot reach {}: {}': '代理 {1} 无法连接 {2}：{3}',
  'it rejected the connection': '它拒绝了连接',
  'it responded with status {}': '返回状态 {1}',
  'the connection was lost': '连接中断',
  'no route to host': '没有到主机的路由',
  'the connection timed out': '连接超时',
  'the host name does not exist': '域名不存在',
  'the host name cannot be resolved (temporary failure)': '域名暂时无法解析',
  'connection refused': '连接被拒绝',
  'the response timed out': '响应超时',
  'the transfer stalled': '传输停滞',
  'the response header is too large': '响应头过大',
  'the response is not HTTP': '响应不是 HTTP',
  'the request failed': '请求失败',
  'the certificate is expired or not yet valid': '证书已过期或尚未生效',
  'the certificate is for another host name': '证书属于另一个域名',
  'untrusted certificate authority': '证书颁发机构不受信任',
  'the TLS handshake failed': 'TLS 握手失败',
  'the proxy option': '代理选项',
  'the value of {} is not a proxy URL': '{1} 的值不是代理地址',
  'Use http://host:port, https://host:port or socks5://user:password@host:port, with special characters percent-encoded.':
    '使用 http://host:port、https://host:port 或 socks5://user:password@host:port，特殊字符要写成百分号编码。',
  'leads to an invalid URL': '指向无效的网址',
  'leads from https to http ({})': '从 https 转到 http（{1}）',
  'leads to the inner address {}': '指向内网地址 {1}',
  'Check the URL, and check the network for a login page or a filter.':
    '检查地址，以及网络中是否有登录页或过滤。',
  'is part of a loop': '形成了循环',
  'has more than {} hops': '超过 {1} 次',
  'redirect rejected: {} {}': '重定向被拒绝：{1} {2}',
  'the response of {} is larger than {} bytes': '{1} 的响应超过 {2} 字节',
  '{} failed: {} responded with status {}': '{1} 失败：{2} 返回状态 {3}',
  '{} responded with status {}': '{1} 返回状态 {2}',
  'the proxy URL contains a password': '代理的地址中有密码',
  'the password of the proxy is missing': '缺少代理的密码',
};
