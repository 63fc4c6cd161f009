import { importResult, importTable } from '#proxies/actions/result.ts';
import { renderMihomo } from '#proxies/clash/write.ts';
import { readProxies } from '#proxies/read-proxies.ts';
import { renderSingBox } from '#proxies/sing-box/write.ts';
import { pacFile } from '#proxy-settings/pac.ts';
import { proxychainsFile } from '#proxy-settings/proxychains.ts';
import { fishFunctions, posixFunctions, shellValues } from '#proxy-settings/shell-functions.ts';
import { proxyVariables } from '#proxy-settings/variables.ts';
import { forEachLanguage, json, type Section, sections, type Topic } from '../golden.ts';

/** Proxies of several protocols, a group, rules, and entries that are left out. */
const clash = `port: 7890
socks-port: 7891
allow-lan: true
mode: Rule
proxies:
  - { name: one, type: ss, server: proxy.example.com, port: 8388, cipher: aes-256-gcm, password: S3cr3t }
  - { name: two, type: trojan, server: 192.0.2.2, port: 443, password: S3cr3t, skip-cert-verify: true }
  - { name: three, type: socks5, server: 192.0.2.3, port: 1080 }
  - { name: four, type: unknown, server: 192.0.2.4, port: 1 }
proxy-groups:
  - { name: Proxy, type: select, proxies: [one, two, three] }
rules:
  - DOMAIN-SUFFIX,example.com,DIRECT
  - MATCH,Proxy
dns: { enable: true, nameserver: [192.0.2.53] }
`;
const links = [
  'ss://YWVzLTI1Ni1nY206UzNjcjN0@192.0.2.1:8388#ss',
  'trojan://S3cr3t@192.0.2.2:443?sni=example.com#trojan',
  'vless://00000000-0000-4000-8000-000000000001@192.0.2.3:443?security=tls&type=ws&path=%2Fa#vless',
  'hysteria2://S3cr3t@192.0.2.4:443?sni=example.com#hysteria2',
].join('\n');

const inputs = { clash, links };

/** The settings of proxies: imports and exports, and what programs of users read. */
export const proxies: Topic = async () =>
  new Map([
    ...Object.entries(inputs).flatMap(([name, text]): [string, string][] => {
      const { settings } = imported(name, text);
      return [
        [`${name}.mihomo.yaml`, renderMihomo(settings)],
        [`${name}.sing-box.json`, renderSingBox(settings)],
      ];
    }),
    ...(await forEachLanguage('import', () => sections(Object.entries(inputs).flatMap(importOf)))),
    ['settings.txt', sections(programSettings())],
  ]);

function imported(name: string, text: string) {
  return readProxies(Buffer.from(text), { file: name });
}

function importOf([name, text]: [string, string]): Section[] {
  const found = imported(name, text);
  const subscription = {
    ...{ type: 'subscription', url: 'https://example.com/s' },
    info: { upload: 1e9, download: 2e9, total: 9e9, expire: 1_800_000_000, updateInterval: 12 },
  } as unknown as Parameters<typeof importTable>[1];
  const place = { file: '/etc/landfall/route/proxies.json', name, date: new Date('2026-11-29') };
  return [
    [`landfall route import: ${name}`, importTable(found, { type: 'file' }, place)],
    [`landfall route import, subscription: ${name}`, importTable(found, subscription, place)],
    [
      `landfall route import --json: ${name}`,
      json(importResult(found, { type: 'file' }, place.file)),
    ],
  ];
}

function programSettings(): Section[] {
  const files = { origin: 'Made by Landfall.', values: '/home/me/.config/landfall/proxy.sh' };
  return ['http://10.0.0.2:7890', 'socks5h://me:pass@10.0.0.2:7891'].flatMap((url): Section[] => {
    const proxy = { url, noProxy: 'localhost,127.0.0.0/8,.example.com' };
    return [
      [`landfall route pac: ${url}`, pacFile(url, ['.example.com', '10.0.0.0/8'])],
      [`landfall route proxychains: ${url}`, proxychainsFile(url)],
      [`variables: ${url}`, json(proxyVariables(proxy))],
      [`values of shells: ${url}`, shellValues(files.origin, proxy)],
      [`sh: ${url}`, posixFunctions(files)],
      [`fish: ${url}`, fishFunctions(files, true)],
    ];
  });
}
