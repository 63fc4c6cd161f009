import type { ChineseRows } from '#contract/text/translated.ts';

/** `landfall probe`: its options, and why a step of an attempt failed. */
export const probeRows: ChineseRows = {
  'the access token of the hub is missing': '缺少模型平台的访问令牌',
  'the access token is invalid': '访问令牌无效',
  'the name of the model is invalid': '模型的名称无效',
  'the URL of the hub does not encrypt the token': '模型平台的地址没有加密，会泄露令牌',
  'not {}: a value is not a plain http or https URL':
    '不是{1}：需要不含登录信息的 http 或 https 地址',
  'the URL of a hub': '模型平台的地址',
  'the URL of a provider': '模型服务商的地址',
  'the URL of a resolver': '解析服务的地址',
  'the URL of an echo service': '出口地址服务的地址',
  'the response of the echo service has no address': '出口地址服务的响应中没有地址',
  'there is no mirror to test: the site has none': '没有可测试的镜像源：站点没有设置',
  'status {}: {}': '状态 {1}：{2}',
  'access denied': '拒绝访问',
  'proxy authentication required': '代理要求登录',
  'unavailable for legal reasons': '因法律原因不可用',
  'redirect to another URL': '重定向到另一个地址',
  'server error': '服务器错误',
  'timed out': '超时',
  'connection lost': '连接中断',
  'the proxy responded with status {}': '代理返回状态 {1}',
  'the server is not a SOCKS5 proxy': '服务器不是 SOCKS5 代理',
  'the rules of the proxy do not allow the connection': '代理的规则不允许这个连接',
  'the proxy cannot reach the network': '代理无法访问目标网络',
  'the proxy cannot reach the host': '代理无法访问目标主机',
  'the host refused the connection of the proxy': '目标主机拒绝了代理的连接',
  'the connection of the proxy timed out': '代理的连接超时',
  'the proxy rejected the connection': '代理拒绝了连接',
  'a host name or login is longer than 255 bytes': '域名或登录信息超过 255 字节',
  '{} is not set': '没有设置 {1}',
  'the connection through the proxy is lost: {}': '经过代理的连接中断：{1}',
  'Check the proxy, and that it allows connections to this port.':
    '检查代理，以及它是否允许连接这个端口。',
};
