import { describe, expect, it } from 'vitest';
import { sourcesBelow, textOf } from './sources.ts';

/** Where 443 is the port of something other than this server's gateway. */
const ofOthers = [
  // Default ports of the scheme of a URL.
  'appliance/server/host/pull/image-name.ts',
  'appliance/shared/contract/site/route.ts',
  'appliance/shared/http/no-proxy.ts',
  'appliance/shared/probe/exchange/send.ts',
  'appliance/stages/firewall/facts.ts',
  'appliance/stages/stack/components/balancer/haproxy.ts',
  // Where programs connect to in the internet.
  'appliance/shared/smoke/cases/proxy.ts',
  'appliance/stages/route/capture/render.ts',
  'appliance/stages/stack/components/tinyproxy/filter.ts',
];

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

describe('the port of HTTPS', () => {
  it('names 443 in the table of components only: elsewhere use publicPorts(site)', () => {
    const naming = ['appliance', 'builder']
      .flatMap(sourcesBelow)
      .filter((path) => !path.startsWith('appliance/shared/proxies/'))
      // In a sentence of a text it is followed by a word.
      .filter((path) => /(?<![\w.])443(?![\w.]|:? [a-z]| 端)/.test(withoutComments(textOf(path))));
    expect(naming.sort()).toEqual([...ofOthers, 'appliance/shared/contract/components.ts'].sort());
  });
});
