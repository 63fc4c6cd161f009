import { urlOf } from '#contract/site/endpoints.ts';
import { openingsOfSite } from '#contract/site/network/openings.ts';
import { hasPublicHttp } from '#contract/site/network/public-ports.ts';
import { formatOpening } from '#contract/site/opening.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import { consoles } from '../../../deliver/user-data/consoles.ts';
import type { Format } from '../../../deliver/user-data/providers.ts';
import { RichText } from '../rich-text.tsx';
import { say } from '../say.ts';

interface InstructionsProps {
  /** Short name; empty: not chosen. */
  readonly provider: string;
  readonly format: Format;
  /** Of the saved file, such as user-data.yaml. */
  readonly name: string;
  readonly site: Site;
}

/** Where to paste the result, and what to look at afterwards. */
export function Instructions({ provider, format, name, site }: InstructionsProps) {
  const console = consoles[provider];
  const ports = ['22/tcp', ...openingsOfSite(site).map(formatOpening)].join(say(', ', '、'));
  const field = format === 'shell' ? (console?.script ?? console?.field) : console?.field;
  return (
    <ol id="instructions">
      {field && console ? (
        <li>
          {say('In the console of the provider: ', '在云服务商的控制台中：')}
          <strong>{inLanguage(field)}</strong>
          {say('. Image: ', '。系统镜像：')}
          <code>{inLanguage(console.image)}</code>
        </li>
      ) : (
        <li>{anyConsole(format)}</li>
      )}
      {console?.command?.includes(name) && (
        <li>
          {say(
            `Or with its command-line tool, in the folder with ${name}; replace each …:`,
            `或者用它的命令行工具，在 ${name} 所在的文件夹中运行；请替换每个 …：`,
          )}
          <pre>{console.command}</pre>
        </li>
      )}
      <li>
        {say(
          `In the firewall of the provider (security group), open these ports: ${ports}`,
          `在云服务商的防火墙（安全组）中开放以下端口：${ports}`,
        )}
      </li>
      <li>
        <RichText text={progress(format, site)} />
      </li>
      <li>
        <RichText text={afterwards(site)} />
      </li>
    </ol>
  );
}

function anyConsole(format: Format): string {
  return format === 'shell'
    ? say(
        'Run this script as root on the new server, such as with the command assistant of the console.',
        '在新服务器上以 root 运行这个脚本，例如用控制台的自动化助手。',
      )
    : say(
        'Paste it into the field for user-data (or cloud-init, custom data) when you create the server, with Debian 13 as the image.',
        '创建服务器时粘贴到 user-data（或 cloud-init、自定义数据）一栏，系统镜像选 Debian 13。',
      );
}

function progress(format: Format, site: Site): string {
  if (!hasPublicHttp(site)) {
    return say(
      'No page shows the progress, because the site closes port 80: look at the console of the server, or run `journalctl -fu landfall-boot` there.',
      '站点关闭了 80 端口，因此没有显示进度的页面：请查看服务器的网页控制台，或在上面运行 `journalctl -fu landfall-boot`。',
    );
  }
  return format === 'shell'
    ? say(
        'The first boot starts. Open `http://` and the address of the server: a page shows the progress. In a terminal: `journalctl -fu landfall-boot`',
        '首次启动随即开始。用浏览器打开 `http://` 加服务器的地址，会显示部署进度。在终端中：`journalctl -fu landfall-boot`',
      )
    : say(
        'After two minutes, open `http://` and the address of the server: a page shows the progress. If it does not load after five minutes, the console of the server shows what happened.',
        '两分钟后用浏览器打开 `http://` 加服务器的地址，会显示部署进度。五分钟后仍打不开时，服务器的网页控制台会显示原因。',
      );
}

function afterwards(site: Site): string {
  const { user } = site.admin;
  const address = say('<address>', '<地址>');
  const [ui, relay] = (['ui', 'relay'] as const).map((name) => urlOf(site, name, address));
  // A name of a site with a tunnel has an address there.
  const host = site.access ? address : (site.hosts.ui ?? address);
  const ready = ui
    ? say(`When it is ready, the chat is at \`${ui}/\`. `, `就绪后，聊天界面在 \`${ui}/\`。`)
    : relay
      ? say(`When it is ready, the relay is at \`${relay}/\`. `, `就绪后，中继在 \`${relay}/\`。`)
      : '';
  const device = site.access
    ? say(
        ' Add each device there: `sudo landfall access add phone`.',
        '在服务器上添加每台设备：`sudo landfall access add phone`。',
      )
    : '';
  return `${ready}${say(
    `Log in with \`ssh ${user}@${host}\`: \`landfall status\` shows the state, \`sudo landfall credentials\` the passwords.`,
    `用 \`ssh ${user}@${host}\` 登录：\`landfall status\` 显示状态，\`sudo landfall credentials\` 显示密码。`,
  )}${device}`;
}
