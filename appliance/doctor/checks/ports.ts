import { checkPorts } from '../../preflight/ports.ts';
import type { Check } from '../finding.ts';

/** Reports ports of the stack that another program uses (SPEC 7, "host port already used"). */
export const portsCheck: Check = {
  name: 'ports',
  root: true,
  needs: 'site',
  run: async (context) =>
    (await checkPorts(context)).map(({ message, hint }) => ({
      code: 'PORT_USED',
      subject: /\d+/.exec(message)?.[0] ?? 'port',
      text: message,
      ...(hint ? { details: [hint] } : {}),
    })),
};
