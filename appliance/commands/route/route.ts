import type { Command } from 'commander';
import { commandGroup } from '../command-group.ts';
import { routeTestCommand } from './test.ts';

const example = `
Example:
  sudo landfall route test
`;

/** `landfall route`: the route of this server to the internet. */
export function routeCommand(): Command {
  return commandGroup('route', routeTestCommand(), [])
    .description('check the route of this server to the internet')
    .addHelpText('after', example);
}
