import { afterEach, describe, expect, it } from 'vitest';
import { enginesCheck } from '../../../../../appliance/operations/doctor/checks/engines.ts';
import { CertificateAuthority } from '../../../../faulty-server/certificates.ts';
import { EngineNode } from '../../../../integration/balancer/engine-node.ts';
import { contextFor, modelOf } from '../../../context.ts';
import { TemporaryHost } from '../../../temporary-host.ts';
import { english } from '../look.ts';

const authority = new CertificateAuthority('of the nodes');
const running: EngineNode[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((node) => node.kill()));
});

const command =
  'docker exec --interactive landfall-balancer socat -t 10 - UNIX-CONNECT:/tmp/haproxy.sock';
const columns = '# pxname,svname,status,sid,hrsp_2xx,check_desc,qtime,ttime,';

/** Starts a node. Returns its entry in a site. */
async function nodeWith(name: string, settings: object = {}, fields: object = {}) {
  const node = await new EngineNode({ tls: authority.issue(), ...settings }).start();
  running.push(node);
  return { name, url: node.url, ca: authority.cert, ...fields };
}

async function findingsOf(nodes: readonly object[], rows: readonly string[]) {
  if (enginesCheck.needs !== 'site') throw new Error('it reads the site');
  const host = TemporaryHost.with({}, { [command]: [columns, ...rows, ''].join('\n') });
  const release = { version: '1.2.0', models: [modelOf('qwen3:8b', 1000)] };
  return await enginesCheck.run(contextFor(host, { site: { engines: { nodes } }, release }));
}

describe('the check of the servers behind HAProxy', () => {
  it('reports a server that is down, with the reason, and not which models it lacks', async () => {
    const node = await nodeWith('gpu1', { models: [] });
    const rows = ['generate-1,gpu1,DOWN,1,0,Layer4 timeout,0,0,'];
    expect(await findingsOf([node], rows)).toEqual([
      {
        ...{ code: 'ENGINE_DOWN', subject: 'gpu1' },
        text: english('the inference server gpu1 failed: Layer4 timeout'),
      },
    ]);
  });

  it('reports a missing model of this server or of the entry of the node', async () => {
    const nodes = [
      await nodeWith('same', { models: [] }),
      await nodeWith('own', { models: ['big:70b'] }, { models: ['big:70b', 'bge-m3:567m'] }),
      await nodeWith('good', { models: ['Qwen3:8B', 'other:1b'] }),
    ];
    const rows = nodes.map(({ name }, index) => `generate-1,${name},UP,${index},0,,0,0,`);
    expect(await findingsOf(nodes, rows)).toEqual([
      {
        ...{ code: 'ENGINE_MODEL_MISSING', subject: 'same' },
        text: english('the inference server same lacks models: qwen3:8b'),
      },
      {
        ...{ code: 'ENGINE_MODEL_MISSING', subject: 'own' },
        text: english('the inference server own lacks models: bge-m3:567m'),
      },
    ]);
  });

  it('reports a Landfall server with another release, and no other server', async () => {
    const nodes = [
      await nodeWith('old', { release: '1.1.0' }),
      await nodeWith('same', { release: '1.2.0' }),
      await nodeWith('ollama'),
    ];
    const rows = nodes.map(({ name }, index) => `generate-1,${name},UP,${index},0,,0,0,`);
    expect(await findingsOf(nodes, rows)).toEqual([
      {
        ...{ code: 'ENGINE_OTHER_RELEASE', subject: 'old' },
        text: english('the inference server old has the release 1.1.0, and this server has 1.2.0'),
      },
    ]);
  });

  it('reports a server that is much slower than similar ones', async () => {
    const nodes = [await nodeWith('slow'), await nodeWith('fast')];
    const rows = ['generate-1,slow,UP,1,40,,5000,65000,', 'generate-1,fast,UP,2,90,,0,12000,'];
    expect(await findingsOf(nodes, rows)).toEqual([
      {
        ...{ code: 'ENGINE_SLOW', subject: 'slow' },
        text: english(
          'an answer of the inference server slow takes 60.0 s, one of the others 12.0 s',
        ),
      },
    ]);
  });
});
