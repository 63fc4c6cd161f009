import { describe, expect, it } from 'vitest';
import { engineConditions } from '../../../../appliance/nodes/balancer/conditions.ts';
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
  it('returns one condition in both languages', async () => {
    const { host, site } = serverWith(table);
    expect(await engineConditions(host, site)).toEqual([
      {
        ...{ topic: 'engine', subject: 'attic', severity: 'attention' },
        what: {
          en: 'the inference server attic failed: Layer4 timeout',
          zh: '推理服务器 attic 失败：Layer4 timeout',
        },
        thing: { en: 'the inference server attic', zh: '推理服务器 attic' },
        detail: { en: 'Layer4 timeout', zh: 'Layer4 timeout' },
        command: 'sudo landfall engines',
      },
    ]);
  });

  it('does not count as working while HAProxy does not respond', async () => {
    const { host, site } = serverWith(1);
    const found = await engineConditions(host, site, new Set(['engine attic', 'disk /']));
    expect(found.map(({ subject }) => subject)).toEqual(['attic']);
  });

  it('asks nothing on a server without others', async () => {
    const { host, site } = serverWith(table, {});
    expect(await engineConditions(host, site)).toEqual([]);
  });
});
