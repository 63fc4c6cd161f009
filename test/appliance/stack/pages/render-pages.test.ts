import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { renderPages } from '../../../../appliance/stack/pages/render-pages.ts';
import { everything, stackInput } from '../stack-input.ts';

function page(site: Record<string, unknown>, path: string): string {
  return renderPages(stackInput(site)).find((file) => file.path === path)?.content ?? '';
}

describe("the server's pages", () => {
  it('are rendered as Markdown and HTML (SPEC 4, E7)', () => {
    const paths = renderPages(stackInput(everything)).map(({ path }) => path);
    for (const name of ['index', 'chat', 'relay', 'engine', 'proxy']) {
      expect(paths).toContain(`docs/agents/${name}.md`);
      expect(paths).toContain(`docs/agents/${name}.html`);
    }
  });

  it('are listed for programs', () => {
    expect(page(everything, 'docs/llms.txt')).toContain('](/agents/relay.md)');
  });

  it("contain the site's addresses", () => {
    expect(page(everything, 'docs/agents/relay.md')).toContain(
      'base_url="https://api.example.com/openai/v1"',
    );
    expect(page(everything, 'docs/agents/chat.html')).toContain('https://chat.example.com');
  });

  it('describe the tunnel to components without a host name', () => {
    expect(page({}, 'docs/agents/chat.md')).toContain('ssh -N -L 127.0.0.1:3000:127.0.0.1:3000');
  });

  it("contain the server's name in the tunnel command, if it has one", () => {
    const tunnel = (site: object) =>
      /ssh -N -L \S+ (\S+)/.exec(page({ ...site }, 'docs/agents/proxy.md'))?.[1];
    expect(tunnel(everything)).toBe('ops@chat.example.com');
    expect(tunnel({})).toBe('ops@SERVER');
  });

  // Regression: on a phone, the end of long lines was not visible.
  it('keep lines of code short', () => {
    const files = renderPages(stackInput(everything)).filter(({ path }) => path.endsWith('.md'));
    const blocks = files.flatMap(({ content }) => content.match(/^```[\s\S]*?^```$/gm) ?? []);
    expect(blocks.length).toBeGreaterThan(6);
    for (const line of blocks.flatMap((block) => block.split('\n'))) {
      expect(line.length, line).toBeLessThanOrEqual(80);
    }
  });

  it('contain valid shell functions', () => {
    const [, script = ''] =
      /```sh\n(proxy_on[\s\S]*?)\n```/.exec(page({}, 'docs/agents/proxy.md')) ?? [];
    const lines = script.replace(
      /^curl.*$/m,
      'echo "$https_proxy"; proxy_off; echo "$https_proxy."',
    );
    const { stdout } = spawnSync('sh', ['-c', lines], { encoding: 'utf8', env: {} });
    expect(stdout).toBe('Proxy on\nhttp://USER:PASSWORD@127.0.0.1:8888\nProxy off\n.\n');
  });

  it('contain no secret', () => {
    const input = stackInput(everything);
    const text = renderPages(input)
      .map(({ content }) => content)
      .join();
    for (const value of Object.values(input.secrets)) expect(text).not.toContain(value);
  });
});
