import type { Problem } from '#contract/errors.ts';
import { currentLanguage } from '#contract/text/language.ts';

/**
 * Chinese for the reasons of an import, which name keys and values of its source. Reasons are counted and
 * printed as JSON in English.
 */
const texts: readonly (readonly [english: RegExp, chinese: string])[] = [
  // What is left out as a whole.
  [/^not supported by both mihomo and sing-box$/, 'mihomo 和 sing-box 并非都支持'],
  [/^unknown key(.*)$/, '不认识的键$1'],
  [/^unknown value(.*)$/, '不认识的值$1'],
  [/^unknown type of link(.*)$/, '不支持的链接类型$1'],
  [/^unknown rule type(.*)$/, '不支持的规则类型$1'],
  [/^unknown option(?! of)(.*)$/, '不认识的选项$1'],
  [/^unknown option of the plugin$/, '插件有不认识的选项'],
  [/^unknown plugin$/, '不支持的插件'],
  [/^unknown method$/, '不支持的加密方法'],
  [/^unknown fingerprint$/, '不认识的指纹'],
  [/^information of the provider: not imported$/, '代理服务商的信息，不导入'],
  [/^not imported$/, '不导入'],
  [/^not imported; the first entry is the default$/, '不导入；默认使用第一项'],
  [/^not imported, because sni differs$/, '与 sni 不同，不导入'],
  [/^not supported$/, '不支持'],
  [/^not supported for http$/, 'http 不支持'],
  [/^not supported by anytls$/, 'anytls 不支持'],
  [/^not used by mihomo and sing-box$/, 'mihomo 和 sing-box 不使用'],
  [/^alpn is not supported for http$/, 'http 不支持 alpn'],
  [/^utls and reality are not supported with QUIC$/, 'QUIC 不支持 utls 和 reality'],
  [/^obfs-uri is not supported$/, '不支持 obfs-uri'],
  [/^other reasons$/, '其他原因'],
  [/^more than (\d+) (.+)$/, '超过 $1 条 $2'],
  [/^longer than (\d+) characters$/, '超过 $1 个字符'],
  [/^the link has more than (\d+) characters$/, '链接超过 $1 个字符'],
  // Links.
  [/^is not a link$/, '不是链接'],
  [/^the link has an invalid address$/, '链接的地址无效'],
  [/^the link has no valid host and port$/, '链接没有有效的主机和端口'],
  [/^the link has an invalid or repeated parameter$/, '链接的参数无效或重复'],
  [/^the link is encoded for a web page$/, '链接带有网页转义'],
  [/^the link is not JSON in base64$/, '链接不是 base64 编码的 JSON'],
  [/^the line contains several links$/, '一行有多条链接'],
  [/^mode: multi is imported as gun$/, 'mode：multi 按 gun 导入'],
  [/^is no UUID: converted as clients do$/, '不是 UUID，已按客户端的方法转换'],
  [/^duplicate name: a number is added$/, '重名，已加编号'],
  // Files.
  [/^a second document: not imported$/, '第二个文档，不导入'],
  [/^a repeated section: not imported$/, '重复的段落，不导入'],
  [/^is not valid YAML$/, '不是有效的 YAML'],
  [/^the indentation contains a tab$/, '缩进中有制表符'],
  [/^the indentation does not match the lines around it$/, '缩进与前后行不一致'],
  [/^duplicate key (.+)$/, '重复的键 $1'],
  [/^the line contains a second key$/, '一行有两个键'],
  [/^a value starts with a reserved character$/, '值以保留字符开头'],
  [/^the alias has no anchor above it$/, '别名前面没有对应的锚点'],
  [/^a tag \(a word after "!"\) is not allowed$/, '不允许使用标签（“!”后的词）'],
  [/^missing closing quote$/, '缺少结束引号'],
  [/^sequence item without - indicator$/, '列表项缺少 -'],
  [/^inbound(.*): not imported$/, 'inbound$1：不导入'],
  [/^outbound dns: not imported$/, 'dns 类型的 outbound：不导入'],
  [/^DNS server: not imported$/, 'DNS 服务器：不导入'],
  [/^rule of clash_mode: not imported$/, 'clash_mode 规则：不导入'],
  [/^only the first is used$/, '只使用第一个'],
  // Groups and rules.
  [/^duplicate name of a group$/, '策略组重名'],
  [/^the group contains itself$/, '策略组包含自身'],
  [/^none of its members is imported$/, '成员均未导入'],
  [
    /^the target of a rule is not imported: the first group is used$/,
    '规则的目标未导入，改用第一个策略组',
  ],
  [/^has no effect on a group of type select$/, '对 select 类型的策略组无效'],
  [/^has no effect without (.+)$/, '没有 $1 时无效'],
  [/^has no effect with network tcp$/, 'network 为 tcp 时无效'],
  [/^the rule joins conditions$/, '一条规则有多个条件'],
  [/^needs a database that the client downloads$/, '需要客户端下载数据库'],
  [/^needs a list that the client downloads$/, '需要客户端下载列表'],
  // Values.
  [/^is missing$/, '缺少'],
  [/^is missing or not valid$/, '缺少或无效'],
  [/^are missing or not valid base64$/, '缺少，或不是有效的 base64'],
  [/^is reserved$/, '是保留名称'],
  [/^(?:is not valid(?: percent-encoding)?|Invalid input)$/, '无效'],
  [/^has an invalid percent-encoding$/, '百分号编码无效'],
  [/^differs from (.+)$/, '与 $1 不同'],
  [/^must differ from (.+)$/, '不能与 $1 相同'],
  [/^must not be empty$/, '不能为空'],
  [/^must have at most (\d+) characters$/, '最多 $1 个字符'],
  [/^must not contain control or direction characters$/, '不能含有控制字符或文字方向字符'],
  [/^must not contain (?:the parameter )?(.+)$/, '不能含有 $1'],
  [/^must not begin or end with a space$/, '首尾不能有空格'],
  [/^must be a whole number from (\d+) to (\d+)$/, '必须是 $1 到 $2 的整数'],
  [/^must be true or false$/, '必须是 true 或 false'],
  [/^must be 0 or 1$/, '必须是 0 或 1'],
  [/^must be enabled$/, '必须启用'],
  [/^must be a text$/, '必须是文本'],
  [/^must be a map$/, '必须是键值表'],
  [/^must be a list(?: of texts)?$/, '必须是列表'],
  [/^must be a UUID$/, '必须是 UUID'],
  [/^must be an? (?:IP address|host name or an IP address)$/, '必须是主机名或 IP 地址'],
  [/^must be a domain$/, '必须是域名'],
  [/^must be a network such as (.+)$/, '必须是网段，例如 $1'],
  [/^must be (.+)$/, '必须是 $1'],
  [/^must begin with (.+)$/, '必须以 $1 开头'],
  [/^must have 2 to 16 hexadecimal digits$/, '必须是 2 到 16 位十六进制数字'],
  [/^needs TLS and no transport$/, '需要 TLS，且不能有传输层'],
  [/^needs several ports$/, '需要多个端口'],
  [/^needs a username$/, '需要用户名'],
  [/^needs a nameserver(?: with an IP address)?$/, '需要 IP 地址形式的 DNS 服务器'],
  [/^(?:\w+ )?reality needs a fingerprint$/, 'reality 需要指纹'],
  [/^trojan needs TLS$/, 'trojan 需要 TLS'],
  [/^h2 needs TLS, and http must not have it$/, 'h2 需要 TLS，http 不能有 TLS'],
  [/^path is for https only$/, 'path 只用于 https'],
  [/^(obfs|mode|mux) must be (.+)$/, '$1 必须是 $2'],
  // Hints.
  [/^Allowed: (.*)\.$/, '可用：$1'],
  [/^Write each link on its own line\.$/, '请把每条链接写在单独的一行。'],
  [/^Put each condition into its own rule\.$/, '请把每个条件写成单独的规则。'],
  [/^Write TYPE,VALUE,TARGET\.$/, '请写成 TYPE,VALUE,TARGET。'],
  [
    /^Percent-encode special characters, such as %40 for @\.$/,
    '请对特殊字符做百分号编码，例如 @ 写作 %40。',
  ],
  [/^Replace &amp; with &\.$/, '请把 &amp; 换成 &。'],
  [/^Use a link of v2rayN, or (.+)\.$/, '请使用 v2rayN 的链接，或 $1。'],
];

/** Returns a reason or a hint in the language of this process. */
export function reasonText(english: string): string {
  return currentLanguage() === 'zh' ? chineseReason(english) : english;
}

/** Returns details with their reasons and hints in the language of this process. */
export function inWords(details: readonly Problem[]): Problem[] {
  return details.map(({ message, hint, ...place }) => ({
    ...place,
    message: reasonText(message),
    hint: hint && reasonText(hint),
  }));
}

/** Returns the Chinese text of a reason or a hint. Its keys and values stay; so does a text of another program. */
export function chineseReason(english: string): string {
  for (const [pattern, chinese] of texts) {
    if (pattern.test(english)) return english.replace(pattern, chinese);
  }
  const [, key, rest] = /^((?:rule )?[^: ]+|rule|method and password): (.+)$/s.exec(english) ?? [];
  if (key !== undefined && rest !== undefined) return `${key}：${chineseReason(rest)}`;
  // A rule names its part.
  const [, part, fault] = /^(value|target) (.+)$/.exec(english) ?? [];
  return part !== undefined && fault !== undefined ? `${part} ${chineseReason(fault)}` : english;
}
