import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { componentOf, portComponents } from '#contract/component-names.ts';
import { say } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import type { TestedPreview } from './bring-up.ts';
import type { Removed } from './remove.ts';
import type { StartedPreview } from './start.ts';
import { type PreviewFolder, stateFile } from './state.ts';
import { downCommand } from './undo.ts';

/** A started preview and where it is. */
export interface Reported {
  readonly name: string;
  readonly project: string;
  readonly folder: PreviewFolder;
  readonly started: TestedPreview;
}

/** Returns the URL of the chat UI of a preview. */
export function urlOfPreview({ state }: StartedPreview): string {
  return `https://localhost:${state.ports.https}/`;
}

/**
 * Formats where a preview is reached and how to remove it.
 * @param showPassword whether the output is a terminal and not a log
 */
export function describeStarted(
  { name, folder, started }: Reported,
  { showPassword }: { readonly showPassword: boolean },
): string {
  const { state, target } = started;
  const { email = '', password = '' } = target.inside?.administrator ?? {};
  const file = join(folder.path, stateFile);
  return [
    formatTable([
      [say('chat UI', '聊天界面'), urlOfPreview(started)],
      [say('  sign in as', '  登录邮箱'), email],
      [
        say('  password', '  密码'),
        showPassword
          ? password
          : say(`WEBUI_ADMIN_PASSWORD in ${file}`, `${file} 中的 WEBUI_ADMIN_PASSWORD`),
      ],
      ...portComponents
        .filter((each) => each !== 'ui' && state.ports[each] !== undefined)
        .map((each) => [componentOf(each).product, `http://127.0.0.1:${state.ports[each]}`]),
    ]),
    '',
    say(
      'The browser warns, because the certificate is from an authority of this preview. Its certificate:',
      '浏览器会警告，因为证书由这个预览自己签发。颁发机构的证书：',
    ),
    `  http://localhost:${state.ports.http}/.well-known/landfall/authority.crt`,
    say(`Other passwords and keys are in ${file}.`, `其他密码和密钥在 ${file} 中。`),
    say(
      'There is no hardening: the firewall, SSH, bans and system settings of a server are not part of it.',
      '没有安全加固：不含服务器的防火墙、SSH、封禁和系统设置。',
    ),
    say(`Remove the preview: ${downCommand(name)}`, `删除预览：${downCommand(name)}`),
  ].join('\n');
}

/** Returns the result for programs, without secrets. */
export function startedToJson({ name, project, folder, started }: Reported): object {
  const { state, target } = started;
  return {
    name,
    project,
    url: urlOfPreview(started),
    version: state.version,
    ports: state.ports,
    email: target.inside?.administrator.email,
    folder: folder.path,
    tests: started.results,
  };
}

/** Formats what was removed. */
export function describeRemoved(name: string, removed: Removed): string {
  const counts = Object.entries(removed).filter(([, count]) => count > 0);
  if (counts.length === 0)
    return say(`preview ${name}: there was nothing to remove`, `预览 ${name}：没有可删除的内容`);
  return say(
    `preview ${name}: removed ${counts.map(([what, count]) => `${count} ${what}`).join(', ')}`,
    `预览 ${name}：删除了 ${counts.map(([what, count]) => `${count} ${units[what]}`).join('、')}`,
  );
}

const units: Readonly<Record<string, string>> = {
  containers: '个容器',
  networks: '个网络',
  volumes: '个数据卷',
  images: '个镜像',
};

/** Returns the command that opens a URL on a platform; undefined without a desktop. */
export function browserCommand(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
): readonly string[] | undefined {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['cmd', '/c', 'start', ''];
  // Without a display, xdg-open may start a browser for text in this terminal.
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}

/** Opens a URL in the user's browser. Ignores failures, because the URL is printed too. */
export function openBrowser(url: string, env: NodeJS.ProcessEnv): void {
  const [command, ...args] = browserCommand(process.platform, env) ?? [];
  if (command === undefined) return;
  const child = spawn(command, [...args, url], { env, detached: true, stdio: 'ignore' });
  child.once('error', () => {});
  child.unref();
}
