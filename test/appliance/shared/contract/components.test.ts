import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  componentNames,
  componentOf,
  hostComponents,
  portComponents,
  selectableComponents,
  serviceNames,
  variableOf,
} from '#contract/component-names.ts';
import { siteSchema } from '#contract/site/site.ts';

const compose = new URL('../../../../compose/', import.meta.url);
const yaml = (path: string) => parse(readFileSync(new URL(path, compose), 'utf8'), { merge: true });
const { services } = yaml('compose.yaml');
const gatewayPorts = ['http-port', 'ipv6-ports', 'http-ipv6-port'].map(
  (name) => yaml(`gateway/${name}.yaml`).services.gateway.ports,
);
const appliance = yaml('../builder/inputs/appliance.yaml');

describe('the table of components', () => {
  it('lists every service of compose.yaml and every folder next to it, and no other', () => {
    const folders = readdirSync(compose, { withFileTypes: true }).filter((one) =>
      one.isDirectory(),
    );
    const names = [...serviceNames].sort();
    expect(Object.keys(services).sort()).toEqual(names);
    expect(folders.map(({ name }) => name).sort()).toEqual(names);
  });

  it('lists every component of appliance.yaml, optional if a site can enable it', () => {
    const images = Object.entries<{ optional?: boolean }>(appliance.components);
    expect(images.map(([name]) => name).sort()).toEqual([...serviceNames].sort());
    for (const [name, { optional = false }] of images) {
      const runs = componentOf(serviceNames.find((each) => each === name) ?? 'docs').runs;
      expect([name, optional]).toEqual([name, /^when-/.test(runs)]);
    }
  });

  it('gives each host name, port and switch of a site to a component', () => {
    const { hosts, ports, components } = siteSchema.shape;
    const fieldsOf = (schema: { shape: object }) => Object.keys(schema.shape);
    expect(fieldsOf(hosts.unwrap())).toEqual([...hostComponents, 'port', 'http']);
    expect(fieldsOf(ports.unwrap())).toEqual(portComponents);
    expect(fieldsOf(components.unwrap())).toEqual(selectableComponents);
  });

  it('gives the components distinct variables', () => {
    const variables = componentNames.map((name) => variableOf(name, 'PORT'));
    expect(new Set(variables).size).toBe(componentNames.length);
    for (const variable of variables) expect(variable).toMatch(/^[A-Z][A-Z0-9_]*_PORT$/);
  });
});

describe.each(serviceNames)('the service %s', (name) => {
  const service = services[name];
  const component = componentOf(name);

  it('runs its image in a container with its name', () => {
    expect(service.image).toBe(`landfall.local/${name}:\${${variableOf(name, 'TAG')}}`);
    if (component.runs !== 'on-timer') expect(service.container_name).toBe(`landfall-${name}`);
  });

  it('publishes the ports of the table and no other', () => {
    const tunnels = portComponents
      .filter((each) => each === name || componentOf(each).servedBy === name)
      .map((each) => {
        const { port, containerPort } = componentOf(each);
        return `127.0.0.1:\${${variableOf(each, 'PORT')}:-${port}}:${containerPort}`;
      });
    const { http, https } = component.publicPorts ?? {};
    const secure = `\${GATEWAY_HTTPS:-${https}}:${https}`;
    const address = '${GATEWAY_ADDRESS:-0.0.0.0}';
    expect(service.ports ?? []).toEqual([...tunnels, ...(https ? [`${address}:${secure}`] : [])]);
    expect(https !== undefined).toBe(name === 'gateway');
    if (name !== 'gateway') return;
    const plain = `${http}:${http}`;
    expect(gatewayPorts).toEqual([[`${address}:${plain}`], [`[::]:${secure}`], [`[::]:${plain}`]]);
  });

  it('sets the user, the limits and the log of a service as in the table', () => {
    const { user, logging } = component;
    expect(service.user).toBe(user && `${user}:${user}`);
    expect(service.logging.driver === 'none').toBe(logging === 'none');
    const { memory, cpus, pids } = service.deploy.resources.limits;
    expect(memory).toMatch(`\${${variableOf(name, 'MEMORY')}:-`);
    expect(cpus).toMatch(`\${${variableOf(name, 'CPUS')}:-`);
    expect(pids).toBe(`\${${variableOf(name, 'PIDS')}:-${component.limits?.pids}}`);
  });

  it('sets a profile for a service unless it always runs', () => {
    const { profiles = [] } = service;
    if (component.runs === 'always') expect(profiles).toEqual([]);
    else expect(profiles).toContain(name);
  });
});
