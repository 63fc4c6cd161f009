import { expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { readProxies } from '#proxies/read-proxies.ts';

/** Names that every object of JavaScript has. */
const names = ['constructor', 'toString', 'hasOwnProperty', '__proto__', 'valueOf'];

const outbound = (name: string) => ({
  outbounds: [
    { type: name, tag: 'own' },
    { type: 'socks', tag: 's', server: 'a.example', server_port: 1080 },
  ],
  route: { rules: [{ domain: ['a.example'], outbound: 'own' }], final: 's' },
});
const shadowsocks = (method: string, plugin: string) => ({
  outbounds: [
    {
      ...{ type: 'shadowsocks', tag: 's', server: 'a.example', server_port: 1 },
      ...{ method, password: 'x', plugin, plugin_opts: 'a=b' },
    },
  ],
});
const clash = (type: string) =>
  `proxies:\n  - { name: s, type: socks5, server: a.example, port: 1 }\nrules:\n  - ${type},a.example,s\n`;

it.each(
  names.flatMap((name) =>
    [
      JSON.stringify(outbound(name)),
      JSON.stringify(shadowsocks(name, 'obfs-local')),
      JSON.stringify(shadowsocks('none', name)),
      clash(name),
    ].map((text) => [name, text] as const),
  ),
)('rejects the type %s with an error of the project: %s', (_name, text) => {
  expect(() => readProxies(Buffer.from(text), { file: 'x', strict: true })).toThrow(LandfallError);
});
