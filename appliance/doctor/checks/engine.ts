import { engineTests } from '#smoke/cases/engine.ts';
import { runSmoke } from '#smoke/run-smoke.ts';
import { serverTarget } from '../../smoke/target.ts';
import { allContainers, type Container } from '../containers.ts';
import { type Check, stageFix } from '../finding.ts';

const variable = 'OLLAMA_BASE_URL';
/** `compose.yaml` sets the same value. */
const wanted = 'http://engine:11434';

/** Reports a chat UI that cannot reach the inference engine (SPEC 7). */
export const engineCheck: Check = {
  name: 'engine',
  root: true,
  needs: 'site',
  run: async (context) => {
    const containers = await allContainers(context.host);
    const [ui, engine] = ['landfall-ui', 'landfall-engine'].map((name) =>
      containers.find((each) => each.name === name && each.running),
    );
    // A component that is not running has its own finding.
    if (!ui || !engine) return [];
    const tests = engineTests.filter(({ name }) => name === 'engine-version');
    const [answer] = await runSmoke(await serverTarget(context), undefined, tests);
    const texts = [
      ...settingFault(ui),
      ...(shareNetwork(ui, engine) ? [] : ['the chat UI shares no network with Ollama']),
      ...(answer?.outcome === 'failed' ? [`Ollama does not answer: ${answer.detail}`] : []),
    ];
    return texts.map((text) => ({
      code: 'UI_WITHOUT_ENGINE',
      subject: 'ui',
      text,
      fix: stageFix('stack'),
    }));
  },
};

function settingFault({ env }: Container): string[] {
  const value = env.find((line) => line.startsWith(`${variable}=`))?.slice(variable.length + 1);
  if (value === wanted) return [];
  return [`${variable} of the chat UI is ${value ?? 'not set'} instead of ${wanted}`];
}

/** The UI finds Ollama by the alias `engine`, in a network that both have. */
function shareNetwork(ui: Container, engine: Container): boolean {
  return Object.entries(engine.networks).some(
    ([name, aliases]) => name in ui.networks && aliases.includes('engine'),
  );
}
