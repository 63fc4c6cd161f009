import type { Client } from '#clients/client.ts';
import { clients } from '#clients/clients.ts';
import { isEnabled } from '#contract/site/enabled.ts';
import { clientOf } from '#contract/site/relay/relay-settings.ts';
import { apiOf, lacksForAgents } from '../../../stages/stack/components/relay/client-api.ts';
import { siteCheck } from '../finding.ts';

/** Reports coding agents whose local model cannot call tools, or has a context that is too short for them. */
export const agentsCheck = siteCheck({ name: 'agents', root: true }, async (context) => {
  const { site } = context;
  if (!isEnabled(site, 'relay')) return [];
  // The key of a client has its name, unless the administrator chose another.
  const agents = site.relay.keys
    .map((each) => clients.find(({ id }) => id === clientOf(each)))
    .filter((client): client is Client => client?.needsTools === true);
  const found = await Promise.all(
    agents.map(async (client) => {
      const served = apiOf(client, context)?.served;
      if (served?.context === undefined || served.model === undefined) return [];
      const lacks = Object.values(await lacksForAgents(context, served.model));
      const { id } = client;
      return lacks.map((lack) => ({
        ...({ code: 'AGENT_MODEL_UNFIT', subject: id } as const),
        text: { en: `relay key ${id}: ${lack.en}`, zh: `中继密钥 ${id}：${lack.zh}` },
      }));
    }),
  );
  return found.flat();
});
