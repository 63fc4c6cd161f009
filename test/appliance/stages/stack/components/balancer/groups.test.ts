import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { engines as schema } from '#contract/site/engines/engines.ts';
import {
  engineGroups,
  localSlots,
  offersOf,
} from '../../../../../../appliance/stages/stack/components/balancer/groups.ts';

const node = (name: string, rest: object = {}) => ({
  ...{ name, url: `https://${name}.example.com` },
  ...rest,
});

function groupsOf(nodes: readonly object[], local = 'yes') {
  const engines = schema.parse({ local, nodes });
  return engineGroups(engines ?? { local: 'no', nodes: [] }, ['qwen3:8b']);
}

const namesOf = (groups: ReturnType<typeof groupsOf>) =>
  groups.map(({ servers }) => servers.map(({ name }) => name));

describe('the groups of servers with Ollama', () => {
  it('puts nodes with the models of this server into one group', () => {
    expect(namesOf(groupsOf([node('a'), node('b')]))).toEqual([['local', 'a', 'b']]);
    expect(namesOf(groupsOf([node('a', { models: ['library/qwen3:8b'] })]))).toEqual([
      ['local', 'a'],
    ]);
    expect(namesOf(groupsOf([node('a')], 'no'))).toEqual([['a']]);
  });

  it('puts the nodes of a Swarm beside its own Ollama, which it reaches by another name', () => {
    const engines = schema.parse({ swarm: { slots: 3 } });
    const groups = engineGroups(engines ?? { local: 'no', nodes: [] }, ['qwen3:8b']);
    expect(groups.map(({ servers }) => servers)).toMatchObject([
      [
        { name: 'local', url: 'http://landfall-engine:11434' },
        { name: 'swarm', url: 'http://tasks.landfall_engine:11434', slots: 3, count: 20 },
      ],
    ]);
  });

  it('puts each server into exactly one group, with those that have the same models', () => {
    const groups = groupsOf([
      node('a', { models: ['big:70b', 'qwen3:8b'] }),
      node('b', { models: ['qwen3:8b', 'big:70b'] }),
      node('c', { models: ['big:70b'] }),
      node('d'),
    ]);
    expect(namesOf(groups)).toEqual([['local', 'd'], ['a', 'b'], ['c']]);
    expect(groups.map(({ required }) => required)).toEqual([
      [],
      ['big:70b', 'qwen3:8b'],
      ['big:70b'],
    ]);
  });

  it('offers a model in each of its groups, with backups last', () => {
    const groups = groupsOf(
      [node('a', { models: ['big:70b', 'qwen3:8b'] }), node('b', { models: ['big:70b'] })],
      'backup',
    );
    const offers = offersOf(groups).map(({ models, groups: offering }) => [
      models,
      offering.map(({ number }) => number),
    ]);
    expect(offers).toEqual([
      [['qwen3:8b'], [2, 1]],
      [['big:70b'], [2, 3]],
    ]);
  });

  it('gives this server the slots that Ollama has in compose.yaml', () => {
    const file = new URL('../../../../../../compose/compose.yaml', import.meta.url);
    expect(readFileSync(file, 'utf8')).toContain(
      `- OLLAMA_NUM_PARALLEL=\${OLLAMA_NUM_PARALLEL:-${localSlots}}\n`,
    );
  });
});
