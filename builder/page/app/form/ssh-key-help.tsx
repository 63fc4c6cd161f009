import { RichText } from '../rich-text.tsx';
import { say } from '../say.ts';

/** What an SSH key is, and how to make one on each system. */
export function SshKeyHelp() {
  return (
    <details>
      <summary>{say('How do I get an SSH key?', '怎样得到 SSH 密钥？')}</summary>
      <p>
        {say(
          'An SSH key replaces the password of the server. It has two halves: the private half stays on your computer, and the public half is one line that goes into this form. The page never asks for the private half, and refuses it.',
          'SSH 密钥代替服务器的密码。它有两半：私钥留在您的电脑上，公钥是一行文本，填在这里。这个页面不需要私钥，也不接受私钥。',
        )}
      </p>
      <ol>
        <li>
          <RichText
            text={say(
              'Open a terminal. Windows: `PowerShell` in the start menu. macOS: `Terminal` in Applications, Utilities. Linux: your terminal.',
              '打开终端。Windows：开始菜单里的 `PowerShell`。macOS：应用程序、实用工具里的 `终端`。Linux：您的终端。',
            )}
          />
        </li>
        <li>
          {say(
            'Run this, and press Enter at each question. If the file exists already, answer n: you have a key.',
            '运行下面的命令，每个问题都按回车键。如果提示文件已存在，请回答 n：您已经有密钥。',
          )}
          <pre>ssh-keygen -t ed25519</pre>
        </li>
        <li>
          {say('Print the public half, and copy the line:', '显示公钥，复制这一行：')}
          <dl>
            <dt>Windows</dt>
            <dd>
              <code>cmd /c type %USERPROFILE%\.ssh\id_ed25519.pub</code>
            </dd>
            <dt>macOS, Linux</dt>
            <dd>
              <code>cat ~/.ssh/id_ed25519.pub</code>
            </dd>
          </dl>
        </li>
      </ol>
      <p>
        {say(
          'With PuTTYgen, copy the line from the box at the top of its window, not a .ppk file.',
          '使用 PuTTYgen 时，请复制窗口上方文本框里的那一行，而不是 .ppk 文件。',
        )}
      </p>
    </details>
  );
}
