// Installs the dependencies, including the pinned Node. This file is plain JavaScript without
// dependencies, because it runs before the installation, on any Node from 18 on.

import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const oldestNode = 24;
const { LC_ALL, LC_MESSAGES, LANG } = process.env;
const isChinese = /^zh(?:[_.@-]|$)/i.test(LC_ALL || LC_MESSAGES || LANG || '');
const say = (en, zh) => (isChinese ? zh : en);

if (!isInstalled()) install();
checkNode();

/** npm writes this file last: if it is not older than the lock file, the installation is complete. */
function isInstalled() {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  return statSync(record).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

function install() {
  refuseLink();
  console.error(
    say(
      'Installing dependencies from the npm registry (about 110 MB, first run only).',
      '正在从 npm 仓库安装依赖（约 110 MB，仅第一次运行需要）。',
    ),
  );
  const began = Date.now();
  const { command, before } = npm();
  const options = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const run = spawnSync(command, [...before, ...options], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (run.status !== 0) stop(run.error ? `${run.error.message}\n` : run.stderr);
  const seconds = Math.round((Date.now() - began) / 1000);
  console.error(say(`Installed in ${seconds} s.`, `安装完成，用时 ${seconds} 秒。`));
}

/** Returns the npm that runs this script, or the one in PATH when the script is run directly. */
function npm() {
  const script = process.env.npm_execpath;
  return script?.endsWith('.js')
    ? { command: process.execPath, before: [script] }
    : { command: 'npm', before: [] };
}

/** Exits if node_modules is a link: `npm ci` would empty the target of the link. */
function refuseLink() {
  const folder = join(root, 'node_modules');
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  console.error(
    say(
      `${folder} is a symbolic link, and npm would empty its target. Remove the link and try again.`,
      `${folder} 是符号链接，npm 会清空它指向的文件夹。请删除这个链接再试。`,
    ),
  );
  process.exit(1);
}

function stop(output) {
  process.stderr.write(output);
  const failed = say('npm failed to install the dependencies.', 'npm 没能安装依赖。');
  console.error(`\n${failed}\n${adviceFor(output)}`);
  process.exit(1);
}

/** Returns the advice for npm's error code, the most specific first. */
function adviceFor(output) {
  const advice = [
    [
      /ENOENT.*npm|spawn npm/,
      'npm is not installed: install Node 20 or later together with npm.',
      '没有 npm：请安装 Node 20 或更新版本，连同 npm。',
    ],
    [
      /ENOSPC/,
      'The disk is full: free about 500 MB and run the command again.',
      '磁盘已满：请释放约 500 MB，再运行同一条命令。',
    ],
    [
      /EACCES|EPERM/,
      `Permission denied: make your user the owner of the folder ${root}.`,
      `没有权限：请让您的用户成为文件夹 ${root} 的所有者。`,
    ],
    [
      /EUSAGE/,
      'package-lock.json does not match package.json: restore both from the repository.',
      'package-lock.json 与 package.json 不一致：请从仓库恢复这两个文件。',
    ],
    [
      /EINTEGRITY/,
      'A package does not match its checksum in package-lock.json: run "npm cache clean --force" and try again, or use another registry.',
      '有软件包与 package-lock.json 中的校验值不符：运行 npm cache clean --force 再试，或换用其他仓库。',
    ],
    [
      /CERT|SSL|TLS/,
      'A proxy intercepts TLS: set NODE_EXTRA_CA_CERTS to the file of its CA certificate.',
      '代理截获了 TLS：请把 NODE_EXTRA_CA_CERTS 设为其 CA 证书文件。',
    ],
    [
      /E40[134]/,
      'The registry denies access to a package or does not have it: use another registry.',
      '仓库拒绝访问某个软件包，或没有它：请换用其他仓库。',
    ],
  ];
  const [, en, zh] = advice.find(([pattern]) => pattern.test(output)) ?? [
    undefined,
    'The npm registry is probably unreachable.',
    '可能无法连接 npm 仓库。',
  ];
  return say(
    `${en}

  registry in use:        npm config get registry
  use a proxy:            npm config set https-proxy http://HOST:PORT
  use a mirror:           npm config set registry https://YOUR-MIRROR/
  then run the same command again`,
    `${zh}

  查看当前的仓库：  npm config get registry
  使用代理：        npm config set https-proxy http://HOST:PORT
  使用镜像源：      npm config set registry https://registry.npmmirror.com
  然后再运行同一条命令`,
  );
}

/** Exits if Node is too old: since version 24, Node runs TypeScript without a flag. */
function checkNode() {
  const major = (version) => Number(/^v(\d+)\./.exec(version)?.[1] ?? 0);
  if (major(process.version) >= oldestNode) return;
  const pinned = join(root, 'node_modules', '.bin', 'node');
  const run = spawnSync(pinned, ['--version'], { encoding: 'utf8' });
  if (run.status === 0 && major(run.stdout) >= oldestNode) return;
  console.error(
    say(
      `Node ${oldestNode} or later is required, but this is ${process.version}.
On Linux, npm installs a suitable Node with the other packages, but ${pinned} does not run.
Remove the folder node_modules and try again without --omit=optional; or install Node ${oldestNode}
from nodejs.org.`,
      `需要 Node ${oldestNode} 或更新版本，现在是 ${process.version}。
在 Linux 上，npm 会随其他软件包安装合适的 Node，但 ${pinned} 无法运行。
请删除 node_modules 文件夹，去掉 --omit=optional 再试；或从 nodejs.org 安装 Node ${oldestNode}。`,
    ),
  );
  process.exit(1);
}
