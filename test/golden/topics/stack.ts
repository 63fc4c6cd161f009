import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { parse, stringify } from 'yaml';
import { composeFolder } from '#contract/bundle/bundle-paths.ts';
import { renderSwarmStack } from '../../../appliance/nodes/swarm/stack-file.ts';
import { overridesFile, renderStack } from '../../../appliance/stages/stack/render-stack.ts';
import type { RenderedFile } from '../../../appliance/stages/stack/rendered-file.ts';
import type { StackInput } from '../../../appliance/stages/stack/stack-input.ts';
import { renderOverride } from '../../../builder/commands/preview/override.ts';
import { filesBySite, json, type Section, sections, type Topic } from '../golden.ts';
import { type SiteName, siteNames, stackInputOf } from '../sites.ts';

/** Every state of a server that changes a file of the stack. */
const inputs: [name: string, input: StackInput][] = [
  ...siteNames.map((name): [SiteName, StackInput] => [name, stackInputOf(name)]),
  ['everything-closed', { ...stackInputOf('everything'), pass: 'the-pass' }],
];

/** Node's own authorities, which follow those of the site in a file. They are those of its version. */
const roots = rootCertificates.join('\n');

/** Renders the stack without what depends on the version of Node: its authorities, and hashes of these. */
function rendered(input: StackInput): RenderedFile[] {
  const files = renderStack(input);
  const hashes = files
    .filter(({ content }) => content.includes(roots))
    .map(({ path }) => `${path.split('/')[0]?.toUpperCase()}_CONFIGURATION`);
  return files.map((file) => ({
    ...file,
    content: hashes.reduce(
      (text, name) => text.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}='HASH'`),
      file.content.replace(roots, "(Node's authorities)"),
    ),
  }));
}

const isPage = ({ path }: RenderedFile) => path.startsWith('docs/');

/** The files that the containers read, besides the pages of the documentation. */
export const stack: Topic = () =>
  filesBySite(
    inputs.map(([name, input]) => [
      name,
      rendered(input)
        .filter((file) => !isPage(file))
        .map(({ path, mode, owner, content }): Section => {
          return [`${path}  ${mode.toString(8)} ${owner}`, content];
        }),
    ]),
  );

/** The documentation of a server. The HTML of the pages is that of their Markdown, so one site has it. */
export const pages: Topic = () =>
  filesBySite(
    siteNames.map((name) => [
      name,
      renderStack(stackInputOf(name))
        .filter((file) => isPage(file) && (name === 'everything' || !/\.html$/.test(file.path)))
        .map(({ path, content }): Section => [path, content]),
    ]),
  );

/** compose.yaml and its overrides with the values of a site, the stack of a Swarm, and that of a preview. */
export const compose: Topic = () =>
  new Map([
    ...(['smallest', 'everything', 'node'] as const).map((name): [string, string] => [
      `${name}.yaml`,
      composeOf(stackInputOf(name)),
    ]),
    ['swarm.yaml', renderSwarmStack(engineService(), { slots: 2, port: 11434 })],
    [
      'preview.yaml',
      renderOverride({
        project: 'landfall-preview-example',
        ports: { https: 8443, http: 8080, ui: 3000, engine: 11434, relay: 8081 },
        services: ['engine', 'gateway', 'relay', 'ui'],
      }),
    ],
  ]);

const textOf = (path: string) =>
  readFileSync(new URL(`../../../${composeFolder}/${path}`, import.meta.url), 'utf8');

/** Returns the files that Compose reads, with the variables of `.env`. */
function composeOf(input: StackInput): string {
  const files = rendered(input);
  const contentOf = (path: string) => files.find((file) => file.path === path)?.content ?? '';
  const variables = new Map(
    [...contentOf('.env').matchAll(/^(\w+)='(.*)'$/gm)].map(([, name, value]) => [name, value]),
  );
  const overrides = contentOf(overridesFile).split('\n').filter(Boolean);
  return sections(
    ['compose.yaml', ...overrides].map((path): Section => {
      const text = textOf(path).replaceAll(
        /\$\{(\w+)(?::?[-?]([^}]*))?\}/g,
        (_whole, name: string, otherwise = '') => variables.get(name) || otherwise,
      );
      return [path, stringify(parse(text, { merge: true }), { lineWidth: 0 })];
    }),
  );
}

/** Returns Ollama's service as `docker compose config --format json` prints it, without values of a server. */
function engineService(): Record<string, unknown> {
  const { engine } = parse(textOf('compose.yaml'), { merge: true }).services;
  return JSON.parse(json({ ...engine, environment: { OLLAMA_HOST: '0.0.0.0' } }));
}
