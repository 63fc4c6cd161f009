import type { Command } from './command.ts';
import { confirmCommand } from './confirm.ts';
import { credentialsCommand } from './credentials.ts';
import { firewallCommand } from './firewall.ts';
import { firstBootCommand } from './first-boot.ts';
import { modelsCommand } from './models.ts';
import { planCommand } from './plan.ts';
import { reportCommand } from './report.ts';
import { secretCommand } from './secret.ts';
import { servePageCommand } from './serve-page.ts';
import { smokeCommand } from './smoke.ts';
import { statusCommand } from './status.ts';
import { tlsCommand } from './tls.ts';

/** Every command of `landfall` on the server, in the order in which help shows them. */
export const commands: Readonly<Record<string, Command>> = {
  'first-boot': firstBootCommand,
  plan: planCommand,
  firewall: firewallCommand,
  confirm: confirmCommand,
  credentials: credentialsCommand,
  secret: secretCommand,
  status: statusCommand,
  smoke: smokeCommand,
  report: reportCommand,
  tls: tlsCommand,
  models: modelsCommand,
  'serve-page': servePageCommand,
};
