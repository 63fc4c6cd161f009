import { describe, expect, it } from 'vitest';
import { engineCheck } from '../../../../appliance/doctor/checks/engine.ts';
import { probeAnswers } from '../../answers.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { type ContainerParts, containers, look } from '../look.ts';

const networks = { models: ['engine', 'landfall-engine'] };
const engine = { name: 'landfall-engine', networks };
const ui = {
  name: 'landfall-ui',
  env: ['OLLAMA_BASE_URL=http://engine:11434'],
  networks: { models: ['ui'] },
};
const address = { 'docker inspect --format': '', 'ip -json': '[]' };
const server = (...parts: readonly ContainerParts[]) =>
  TemporaryHost.with({}, { ...probeAnswers, ...containers(...parts), ...address });
const down = ['UI_WITHOUT_ENGINE', 'ui', expect.stringMatching(/^Ollama does not answer: /)];

describe('the check of the connection from the chat UI to Ollama', () => {
  it('finds a wrong OLLAMA_BASE_URL, and an Ollama that does not answer', async () => {
    const wrong = { ...ui, env: ['OLLAMA_BASE_URL=http://localhost:11434'] };
    expect(await look(engineCheck, server(wrong, engine))).toEqual([
      [
        'UI_WITHOUT_ENGINE',
        'ui',
        'OLLAMA_BASE_URL of the chat UI is http://localhost:11434 instead of http://engine:11434',
      ],
      down,
    ]);
  });

  it('finds a missing network', async () => {
    const apart = { ...engine, networks: { other: ['engine'] } };
    expect(await look(engineCheck, server(ui, apart))).toEqual([
      ['UI_WITHOUT_ENGINE', 'ui', 'the chat UI shares no network with Ollama'],
      down,
    ]);
  });

  it('leaves a component that is not running to its own finding', async () => {
    expect(await look(engineCheck, server(ui, { ...engine, running: false }))).toEqual([]);
  });
});
