import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { renderStack } from '../../../../appliance/stack/render/stack.ts';
import type { RenderedFile } from '../../../../appliance/stack/rendered-file.ts';
import { everything, stackInput } from '../stack-input.ts';

function fileOf(files: readonly RenderedFile[], path: string): RenderedFile {
  const found = files.find((file) => file.path === path);
  if (!found) throw new Error(`no ${path} among ${files.map((file) => file.path).join(', ')}`);
  return found;
}

describe('the files of a stack', () => {
  it('are the same for the same input', () => {
    expect(renderStack(stackInput(everything))).toEqual(renderStack(stackInput(everything)));
  });

  it('have secrets only in files with one reader', () => {
    const input = stackInput(everything);
    const values = Object.values(input.secrets);
    for (const { path, mode, content } of renderStack(input)) {
      const holds = values.some((value) => content.includes(value));
      expect([path, holds ? mode : 'no secret']).toEqual([path, holds ? 0o400 : 'no secret']);
    }
  });

  it('are below the folder of the stack', () => {
    for (const { path } of renderStack(stackInput(everything))) {
      expect(path).toMatch(/^[a-z0-9.][\w./-]*$/);
      expect(path).not.toContain('..');
    }
  });

  it('have one file of server blocks per host name', () => {
    const paths = renderStack(stackInput(everything)).map(({ path }) => path);
    for (const part of ['ui', 'chat', 'lobe', 'relay', 'docs', '00-other-hosts']) {
      expect(paths).toContain(`gateway/conf.d/${part}.conf`);
    }
  });

  it('omit disabled front-ends, even with a host name', () => {
    const paths = renderStack(stackInput({ ...everything, components: {} })).map(
      ({ path }) => path,
    );
    expect(
      paths.filter((path) => /^(gateway\/conf.d|chat|lobe)\/?.*(chat|lobe)/.test(path)),
    ).toEqual([]);
  });

  it('replace containers when the DNS servers of Docker change', () => {
    const envOf = (dns?: object) =>
      fileOf(renderStack(stackInput({ ...everything, ...(dns && { dns }) })), '.env').content;
    const relay = (text: string) => /^RELAY_CONFIGURATION=.*$/m.exec(text)?.[0];
    expect(relay(envOf({ nameserver: ['9.9.9.9'] }))).not.toBe(relay(envOf()));
    expect(relay(envOf({ nameserver: ['9.9.9.9'] }))).toBe(
      relay(envOf({ nameserver: ['9.9.9.9'] })),
    );
  });

  it('fail with every missing secret', () => {
    const input = { ...stackInput(everything), secrets: { WEBUI_SECRET_KEY: 'x' } };
    try {
      renderStack(input);
      expect.unreachable('it was rendered');
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
      expect(error.code).toBe('STATE_INVALID');
      const missing = error.problems.map(({ message }) => message).join();
      expect(missing).toContain('WEBUI_ADMIN_PASSWORD');
      expect(missing).toContain('RELAY_KEY_LOBE');
      expect(missing).not.toContain('OPENAI_API_KEY');
    }
  });

  it('reject a secret with a quote without printing it', () => {
    const input = stackInput();
    const secrets = { ...input.secrets, WEBUI_ADMIN_PASSWORD: "a'; reboot; '" };
    expect(() => renderStack({ ...input, secrets })).toThrow(
      /^WEBUI_ADMIN_PASSWORD contains a quote/,
    );
  });

  it('change the configuration label of a component exactly when its files change', () => {
    const labels = (secrets: Record<string, string>) => {
      const input = stackInput(everything);
      const files = renderStack({ ...input, secrets: { ...input.secrets, ...secrets } });
      return fileOf(files, '.env').content.match(/^\w+_CONFIGURATION=.*$/gm) ?? [];
    };
    const before = labels({});
    const after = labels({ TINYPROXY_PASSWORD: 'another' });
    const changed = after.filter((line, index) => line !== before[index]);
    expect(changed).toEqual([expect.stringMatching(/^TINYPROXY_CONFIGURATION=/)]);
  });
});
