import { logCommand } from '#contract/log-command.ts';
import { reloadGateway } from '../../stack/reload-gateway.ts';
import { isUp } from '../../stack/services.ts';
import { stackState } from '../../stack/stack-state.ts';
import { type Check, stageFix } from '../finding.ts';

/** Reports a Docker that does not respond, and components that are not up. */
export const componentsCheck: Check = {
  name: 'components',
  root: true,
  needs: 'server',
  run: async (host) => {
    const now = await stackState(host);
    if (!('parts' in now)) {
      return [
        {
          code: 'DOCKER_DOWN',
          subject: 'docker',
          text: `Docker does not respond: ${now.engine}`,
          fix: {
            does: { en: 'start Docker and its components', zh: '启动 Docker 及其组件' },
            apply: async ({ host: server, runStage }) => {
              // After several failures systemd rejects further starts.
              await server.succeeds('systemctl', ['reset-failed', 'docker.service']);
              await server.run('systemctl', ['start', 'docker.service']);
              // Waits for the components: the next diagnosis would report those that still start.
              await runStage('stack');
              // nginx would use the previous addresses of the components for ten more seconds.
              await reloadGateway(server);
            },
          },
        },
      ];
    }
    const late = now.parts.filter((part) => !isUp(part));
    return late.map(({ name, state, health }) => ({
      code: 'COMPONENT_DOWN',
      subject: name,
      text: `${name} is ${[state, health].filter(Boolean).join(', ')}`,
      details: state === 'missing' ? [] : [`see: ${logCommand(name)}`],
      fix: stageFix('stack'),
    }));
  },
};
