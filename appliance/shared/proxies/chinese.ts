import type { ChineseRows } from '#contract/text/translated.ts';

/** Import of proxies, and the settings that use one. */
export const proxyRows: ChineseRows = {
  'no proxies were imported': '没有导入过代理节点',
  'no subscription was imported': '没有导入过订阅',
  '--refresh and a source exclude each other': '--refresh 不能与来源一起用',
  '{}: only information of the provider': '{1}：只有代理服务商的信息',
  '{}: no proxies found': '{1}：没有找到代理节点',
  '{} is a web page': '{1} 是网页',
  'Check that this is the right file or URL.': '检查文件或地址是否正确。',
  '{} takes too long to read': '读取 {1} 的时间过长',
  'values are nested more than {} levels deep': '嵌套超过 {1} 层',
  'duplicate or forbidden key': '键重复，或不允许使用',
  'Use {}.': '请使用：{1}。',
  '{} with at least one proxy': '{1}，至少含一个代理节点',
  'links, YAML of mihomo with `proxies`, JSON of sing-box with `outbounds`, or SIP008':
    '链接、mihomo 的 YAML（含 `proxies`）、sing-box 的 JSON（含 `outbounds`）或 SIP008',
  'links, YAML of mihomo or JSON of sing-box': '链接、mihomo 的 YAML 或 sing-box 的 JSON',
  'YAML of mihomo with `proxies`, one entry per line':
    'mihomo 的 YAML（含 `proxies`），每行一个条目',
  '--user-agent is not the name of a client': '--user-agent 不是客户端的名称',
  'fetching from {}': '从 {1} 获取',
  '{} did not send the subscription in time': '{1} 没有及时返回订阅',
  'Try again later, or import the proxies from a file.': '稍后再试，或从文件导入代理节点。',
  'Copy the URL of the subscription from the page of the provider again; it may have expired. {}':
    '从代理服务商的网页重新复制订阅地址；订阅可能已过期。{1}',
  'Copy the URL of the subscription from the page of the provider again.':
    '从代理服务商的网页重新复制订阅地址。',
  'redirect rejected: {} leaves https or the public internet, or redirects too often':
    '重定向被拒绝：{1} 离开了 https 或公网，或重定向次数过多',
  'the subscription of {} is larger than {} bytes': '{1} 的订阅超过 {2} 字节',
  'Check the URL; this is not a subscription.': '检查地址；这不是订阅。',
  'the subscription is not an https URL': '订阅不是 https 地址',

  'Use another login as the route.': '把另一组登录信息设为线路。',
  'proxychains does not support a login with spaces': 'proxychains 不支持含空格的登录信息',
  '{} a proxy that is reached over TLS': '{1}通过 TLS 连接的代理',
  '{} a proxy without an IPv4 address': '{1}没有 IPv4 地址的代理',
  'proxychains does not support': 'proxychains 不支持',
  'Use its HTTP or SOCKS5 port{}.': '把它的 HTTP 或 SOCKS5 端口{1}。',
  'Use its IPv4 address{}.': '把它的 IPv4 地址{1}。',
  ' as the route': '设为线路',
  '{} has a line of Landfall without its last line': '{1} 中有 Landfall 的开头行，但没有结束行',
  'Remove the line `{}` and what Landfall wrote below it, and run the command again.':
    '删除 `{1}` 这一行和下面由 Landfall 写入的内容，再重新运行这条命令。',
  'a value contains a quote, a backslash or a control character': '值中有引号、反斜杠或控制字符',
  'Percent-encode it in a URL, or use a folder without it.':
    '在地址中写成百分号编码，或换一个不含它的文件夹。',
};
