import { describe, expect, it } from 'vitest';
import { engineTroubles } from '../../../../appliance/nodes/balancer/troubles.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const command =
  'docker exec --interactive landfall-balancer socat -t 10 - UNIX-CONNECT:/tmp/haproxy.sock';
const table = [
  '# pxname,svname,qcur,scur,econ,eresp,status,sid,hrsp_2xx,hrsp_5xx,check_desc,last_chk,',
  'generate-1,gpu1,0,0,0,0,UP,1,0,0,,,',
  'generate-1,attic,0,0,0,0,DOWN,2,0,0,Layer4 timeout,,',
  '',
].join('\n');
const node = (name: string) => ({
  name,
  url: `http://${name}.example:11434`,
  plain: 'i-understand',
});
const engines = { nodes: [node('gpu1'), node('attic')] };

function serverWith(
  answer: string | number,
  site: Readonly<Record<string, unknown>> = { engines },
) {
  return contextFor(TemporaryHost.with({}, { [command]: answer }), { site });
}

describe('an inference server whose checks fail', () => {
  it('sends one alert, in the language of the site', async () => {
    const { host, site } = serverWith(table);
    expect(await engineTroubles(host, site, new Set())).toEqual([
      {
        ...{ id: 'engine attic', state: 'failed', command: 'sudo landfall engines' },
        ...{ subject: 'the inference server attic', detail: 'Layer4 timeout' },
      },
    ]);
    const [chinese] = await engineTroubles(host, { ...site, language: 'zh' }, new Set());
    expect(chinese?.subject).toBe('推理服务器 attic');
  });

  it('does not count as working while HAProxy does not respond', async () => {
    const { host, site } = serverWith(1);
    const found = await engineTroubles(host, site, new Set(['engine attic', 'disk /']));
    expect(found.map(({ id }) => id)).toEqual(['engine attic']);
  });

  it('asks nothing on a server without others', async () => {
    const { host, site } = serverWith(table, {});
    expect(await engineTroubles(host, site, new Set())).toEqual([]);
  });
});
