import { LandfallError } from '#contract/errors.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { isMap } from './source/fields.ts';

/** A format that is known by name and cannot be imported. */
interface OtherFormat {
  /** What the file is. */
  readonly is: Text;
  readonly hint: Text;
}

const configuration = (program: string): Text => ({
  en: `a configuration of ${program}`,
  zh: ` ${program} 的配置`,
});

const forOthers = {
  en: 'Import the subscription for mihomo (Clash), sing-box or v2rayN from the page of the provider.',
  zh: '请在代理服务商的页面复制用于 mihomo（Clash）、sing-box 或 v2rayN 的订阅链接并导入。',
};

/** Formats of text. Providers offer the same proxies in several of them. */
const texts: readonly (OtherFormat & { readonly pattern: RegExp })[] = [
  {
    is: configuration('WireGuard'),
    pattern: /^\[Interface\]\s*$/im,
    hint: {
      en: 'Import proxies of another protocol: WireGuard is not supported.',
      zh: '不支持 WireGuard，请导入其他协议的节点。',
    },
  },
  {
    is: configuration('Quantumult X'),
    pattern:
      /^\[(?:server_local|server_remote)\]\s*$|^(?:shadowsocks|vmess|vless|trojan|http|socks5)\s*=\s*[^\s,]+:\d+\s*,/im,
    hint: forOthers,
  },
  {
    is: configuration('Quantumult'),
    pattern: /^\[(?:SERVER|POLICY|TCP)\]\s*$|^[^=\n]+=\s*(?:shadowsocks|shadowsocksr),/m,
    hint: forOthers,
  },
  {
    is: configuration('Surge / Loon'),
    pattern:
      /^#!MANAGED-CONFIG\b|^\[(?:Proxy|Proxy Group|Remote Proxy)\]\s*$|^[^=\n]+=\s*(?:ss|vmess|vless|trojan|snell|hysteria2|tuic|anytls|https?|socks5)\s*,\s*[^\s,]+\s*,\s*\d+/im,
    hint: forOthers,
  },
];

/** @throws LandfallError CONFIG_INVALID for text in a format that is known and cannot be imported */
export function refuseOtherText(text: string, file: string): void {
  const found = texts.find(({ pattern }) => pattern.test(text));
  if (found) throw refusal(file, found);
}

/** Formats of JSON and YAML. */
const values: readonly (OtherFormat & { matches(value: unknown): boolean })[] = [
  {
    is: configuration('Xray / V2Ray'),
    matches: (value) => [value].flat().some(isXray),
    hint: {
      en: 'Import the links of its servers (vless://, vmess://, trojan://), as v2rayN and panels export them.',
      zh: '请导入这些服务器的分享链接（vless://、vmess://、trojan://），v2rayN 和面板都可以导出。',
    },
  },
  {
    is: {
      en: 'a list of rules (payload), without proxies',
      zh: '规则列表（payload），没有节点',
    },
    matches: (value) => isMap(value) && 'payload' in value && !('proxies' in value),
    hint: {
      en: 'Import the file or the subscription that has `proxies`.',
      zh: '请导入包含 `proxies` 的文件或订阅。',
    },
  },
  {
    is: {
      en: 'a file without proxies, with proxy-providers only',
      zh: '没有节点、只有代理集合（proxy-providers）的文件',
    },
    matches: (value) => isMap(value) && 'proxy-providers' in value && isUnset(value.proxies),
    hint: {
      en: 'Import the subscription instead: enter the `url` of the proxy-providers at the prompt of `landfall route import`.',
      zh: '请导入其中的订阅链接：运行 `landfall route import`，粘贴 proxy-providers 里 `url` 一行的地址。',
    },
  },
];

/** @throws LandfallError CONFIG_INVALID for a value in a format that is known and cannot be imported */
export function refuseOtherValue(value: unknown, file: string): void {
  const found = values.find(({ matches }) => matches(value));
  if (found) throw refusal(file, found);
}

/** Outbounds of Xray have a `protocol`; those of sing-box have a `type`. */
function isXray(value: unknown): boolean {
  if (!isMap(value)) return false;
  const { outbounds, outbound } = value;
  return [outbounds, outbound]
    .flat()
    .some((each) => isMap(each) && 'protocol' in each && !('type' in each));
}

function isUnset(proxies: unknown): boolean {
  return (
    proxies === undefined ||
    proxies === null ||
    proxies === '' ||
    (Array.isArray(proxies) && proxies.length === 0)
  );
}

function refusal(file: string, { is, hint }: OtherFormat): LandfallError {
  const message = inLanguage({ en: `${file} is ${is.en}`, zh: `${file} 是${is.zh}` });
  return new LandfallError('CONFIG_INVALID', message, { hint: inLanguage(hint) });
}
