import { parseModelMirror } from '#contract/site/model-mirror.ts';
import { chosenStates } from '../../models/model-states.ts';
import { pullSources } from '../../models/pull-source.ts';
import { reach } from '../../route/reach.ts';
import { type Check, stageFix } from '../finding.ts';

/** Milliseconds. */
const limit = 12_000;

/** Reports models of this server that are missing, and whether their registry can be reached. */
export const modelsCheck: Check = {
  name: 'models',
  root: true,
  needs: 'site',
  run: async (context) => {
    const { host, site } = context;
    const missing = (await chosenStates(context)).filter(({ present }) => !present);
    const mirror = parseModelMirror(site.mirrors.models ?? '');
    return await Promise.all(
      missing.map(async ({ model, name, carried }) => {
        const fix = stageFix('models');
        const found = { subject: model.name, fix } as const;
        const text = `the model ${model.name} is not installed`;
        if (carried) return { code: 'MODEL_MISSING', text, ...found } as const;
        const urls = pullSources(name, mirror).map(
          ({ host: registry, insecure }) => `${insecure ? 'http' : 'https'}://${registry}/v2/`,
        );
        const reached = await host.outside.measure(() => reach(site, urls, limit));
        const failures = reached.flatMap(({ failure }) => (failure ? [failure.message] : []));
        if (failures.length < reached.length) return { code: 'MODEL_MISSING', text, ...found };
        return {
          code: 'MODEL_PULL_TIMEOUT',
          text: `${text}, and no source of it can be reached`,
          details: failures,
          ...found,
        } as const;
      }),
    );
  },
};
