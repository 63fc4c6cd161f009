import { currentLanguage } from '#contract/text/language.ts';

/**
 * Chinese for what the schema of a site says about a value, after the name of its field. A schema is made
 * before the language of the process is known.
 */
const texts: readonly (readonly [english: RegExp, chinese: string])[] = [
  [/^must be a domain in lower case, such as (\S+) or (\S+)$/, '必须是小写的域名，例如 $1 或 $2'],
  [/^must be a domain in lower case, such as (\S+)$/, '必须是小写的域名，例如 $1'],
  [/^must be a short name in lower case, such as (\S+)$/, '必须是小写的短名称，例如 $1'],
  [/^must be a short name in lower case$/, '必须是小写的短名称'],
  [/^must be a number or @name$/, '必须是数字或 @名称'],
  [/^must be a host name such as (\S+)$/, '必须是域名，例如 $1'],
  [/^must be printable characters without spaces$/, '必须是不含空格的可见字符'],
  [/^must have no user, no query and no fragment$/, '不能有用户名、查询参数和片段'],
  [/^has two targets with the same name; set name$/, '有两个同名的接收方；请设置 name'],
  [
    /^must be an absolute path of letters, digits and (.+), such as (\S+)$/,
    '必须是绝对路径，只含字母、数字和 $1，例如 $2',
  ],
  [/^must have no \/\/, no \.\. and no \/ at the end$/, '不能有 //、.. 和末尾的 /'],
  [/^must be a user name$/, '必须是用户名'],
  [/^must be https$/, '必须是 https'],
  [/^must be the name of a region$/, '必须是区域的名称'],
  [
    /^must have the bucket as the first folder, or in the host name of a known cloud$/,
    '存储桶必须是第一级路径，或在已知云服务商的域名中',
  ],
  [/^has two targets of one kind$/, '有两个同类的备份位置'],
  [
    /^must be never, or numbers of daily, weekly and monthly backups$/,
    '必须是 never，或每日、每周、每月保留的份数',
  ],
  [/^must be never, or a time of day such as (\S+)$/, '必须是 never，或一天中的时刻，例如 $1'],
  [/^must be a time of day such as (\S+)$/, '必须是一天中的时刻，例如 $1'],
  [
    /^contains a private key; use the certificate only, and replace that key$/,
    '含有私钥；只使用证书，并更换那个私钥',
  ],
  [/^must be one or more certificates in PEM$/, '必须是一个或多个 PEM 格式的证书'],
  [/^must contain only CA certificates (\(.+\))$/, '只能含有 CA 证书$1'],
  [/^must be one certificate in PEM$/, '必须是一个 PEM 格式的证书'],
  [
    /^must be an e-mail address of letters, digits and (.+), such as (\S+)$/,
    '必须是邮箱地址，只含字母、数字和 $1，例如 $2',
  ],
  [/^is too wide: list the first server$/, '范围太大：请列出第一台服务器'],
  [/^must end after its port, such as (\S+)$/, '端口之后不能再有内容，例如 $1'],
  [/^is the name of this server$/, '是这台服务器自己的名称'],
  [/^lists a model twice$/, '重复列出了同一个模型'],
  [/^must be an IP address or a full host name in lower case$/, '必须是 IP 地址，或小写的完整域名'],
  [
    /^must be the address of a DNS server, such as (\S+); with dns\.tls, also (\S+)$/,
    '必须是 DNS 服务器的地址，例如 $1；启用 dns.tls 时也可写 $2',
  ],
  [
    /^must not be a loopback, multicast or reserved address, which containers cannot use$/,
    '不能是回环、组播或保留地址，容器无法使用',
  ],
  [/^must have (\d+) servers at most, as (\S+)$/, '最多 $1 个服务器，见 $2'],
  [/^lists a server twice$/, '重复列出了同一个服务器'],
  [/^must be the host of a registry, such as (\S+)$/, '必须是镜像仓库的主机，例如 $1'],
  [
    /^must be a mirror of Ollama's registry, such as (\S+) or (\S+)$/,
    '必须是 Ollama 模型库的镜像源，例如 $1 或 $2',
  ],
  [/^must be a time zone such as (\S+)$/, '必须是时区，例如 $1'],
  [
    /^is not a time zone of the IANA database, such as (\S+)$/,
    '不是 IANA 时区数据库中的时区，例如 $1',
  ],
  [
    /^is an abbreviation with several meanings; name a city, such as (\S+) or (\S+)$/,
    '是有多种含义的缩写；请写城市，例如 $1 或 $2',
  ],
  [/^must be an IP address$/, '必须是 IP 地址'],
  [
    /^must be a loopback or private address of the server, such as (\S+)$/,
    '必须是服务器的回环地址或内网地址，例如 $1',
  ],
  [/^must be a private network, such as (\S+)$/, '必须是内网网段，例如 $1'],
  [
    /^must be a private network of 256 addresses, such as (\S+)$/,
    '必须是含 256 个地址的内网网段，例如 $1',
  ],
  [
    /^must be a public key of WireGuard, as (\S+ \S+) prints it$/,
    '必须是 $1 输出的 WireGuard 公钥',
  ],
  [/^must be an IPv4 address$/, '必须是 IPv4 地址'],
  [
    /^must be 1 to (\d+) letters, digits, dots, dashes or _$/,
    '必须是 1 到 $1 个字母、数字、点、连字符或下划线',
  ],
  [
    /^must be up to (\d+) letters, digits, dots, dashes or underscores$/,
    '最多 $1 个字母、数字、点、连字符或下划线',
  ],
  [
    /^must be a port or a range with its protocol, such as (\S+) or (\S+)$/,
    '必须是带协议的端口或端口范围，例如 $1 或 $2',
  ],
  [/^must be the name of a model, such as (\S+)$/, '必须是模型的名称，例如 $1'],
  [
    /^must be the name of a model, a prefix such as (\S+), or a path such as (\S+)$/,
    '必须是模型的名称、前缀（例如 $1）或路径（例如 $2）',
  ],
  [/^must not begin with relay-key$/, '不能以 relay-key 开头'],
  [/^must be a date such as (\S+)$/, '必须是日期，例如 $1'],
  [
    /^must be an origin without a path, such as (\S+) or (\S+), or \*$/,
    '必须是不带路径的来源，例如 $1 或 $2，或 *',
  ],
  [/^is a reserved name$/, '是保留的名称'],
  [/^must be the name of a provider, such as (\S+)$/, '必须是模型服务商的名称，例如 $1'],
  [/^lists a name twice$/, '重复列出了同一个名称'],
  [/^must be a full host name in lower case, such as (\S+)$/, '必须是小写的完整域名，例如 $1'],
  [
    /^must be a DNS provider of lego, such as (.+) or (\S+)$/,
    '必须是 lego 的 DNS 托管商，例如 $1 或 $2',
  ],
  [/^is the name of the gateway inside of the stack$/, '是网关在容器网络中的名称'],
  [
    /^must be one line of an OpenSSH public key file, such as (.+)$/,
    '必须是 OpenSSH 公钥文件中的一行，例如 $1',
  ],
  [/^needs at least one key, which is required to log in$/, '至少要有一个密钥，否则无法登录'],
  [
    /^must be hosts, domains and ranges with commas, such as (\S+)$/,
    '必须是用逗号分隔的主机、域名和网段，例如 $1',
  ],
  [/^must be empty: it is set on the server$/, '必须为空：它在服务器上设置'],
  [
    /^must be 0\.0\.0\.0: Ollama is published on loopback only$/,
    '必须是 0.0.0.0：Ollama 只在回环地址上开放',
  ],
  [/^must be (\S+), the endpoint of Ollama in the stack$/, '必须是 $1，即容器网络中 Ollama 的地址'],
  [/^must be a duration such as (\S+)$/, '必须是时长，例如 $1'],
  [/^must be a period such as (\S+)$/, '必须是时间段，例如 $1'],
  [
    /^must be a URL such as (\S+), with special characters percent-encoded$/,
    '必须是 URL，例如 $1；特殊字符要写成百分号编码',
  ],
  [/^has two schemes: remove one of them$/, '有两个协议前缀：请删除一个'],
  [/^has an empty query or fragment: remove the \? or #$/, '查询参数或片段为空：请删除 ? 或 #'],
  [
    /^must have a plain host name or IP address, such as (\S+) or (\S+)$/,
    '主机必须是普通的域名或 IP 地址，例如 $1 或 $2',
  ],
  [
    /^has an @ after its host, which some programs parse as the end of a login; use %40$/,
    '主机之后有 @，有的程序会当作登录信息的结尾；请写成 %40',
  ],
  [
    /^must have no (.+), encoded space or encoded control character, which apt reads differently$/,
    '不能有 $1、编码的空格或控制字符，apt 的解释不同',
  ],
  [
    /^is an https proxy, which the bootstrap does not support: use its http URL; downloads are verified in any case$/,
    '是 https 代理，引导程序不支持：请用它的 http 地址；下载的内容总会验证',
  ],
  [
    /^has an invalid % in its login; use %25 for a literal %$/,
    '登录信息中的 % 无效；% 本身要写成 %25',
  ],
  [/^has a control character in its login$/, '登录信息中有控制字符'],
  [
    /^needs both user and password, or neither, as in (\S+)$/,
    '用户名和密码必须都有或都没有，例如 $1',
  ],
  [
    /^has an @ in its login or a : in its user, which the HTTP proxy of the stack does not support; use another login$/,
    '登录信息中有 @，或用户名中有 :，本机的 HTTP 代理不支持；请换一个登录名',
  ],
  [
    /^has a \[ or \] in its login, which some programs parse as an IPv6 address; use %5B or %5D$/,
    '登录信息中有 [ 或 ]，有的程序会当作 IPv6 地址；请写成 %5B 或 %5D',
  ],
  [
    /^must end after its port, without a path, a query or a fragment$/,
    '端口之后不能有路径、查询参数或片段',
  ],
  [/^has the port 0$/, '端口是 0'],
  [
    /^has an IPv6 address, which the HTTP proxy of the stack does not support; use a host name$/,
    '是 IPv6 地址，本机的 HTTP 代理不支持；请使用域名',
  ],
  [/^must be an address or a range, such as (\S+)$/, '必须是地址或网段，例如 $1'],
  [
    /^must be a host name, a domain such as (\S+) or a range such as (\S+)$/,
    '必须是主机名、域名（例如 $1）或网段（例如 $2）',
  ],
  [
    /^must be a Linux user name of lower-case letters, digits, _ and -$/,
    '必须是 Linux 用户名，只含小写字母、数字、_ 和 -',
  ],
  [
    /^is the name of a system account or group; choose another one$/,
    '是系统账户或用户组的名称；请换一个',
  ],
];

/** Returns what a schema says about a value, in the language of the process. */
export function ruleText(english: string): string {
  if (currentLanguage() === 'en') return english;
  const found = texts.find(([pattern]) => pattern.test(english));
  return found ? english.replace(...found) : english;
}
