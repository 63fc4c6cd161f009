import { say } from '../say.ts';

/** What an SSH key is, and how to make one. */
export function SshKeyHelp() {
  return (
    <details>
      <summary>{say('How do I get an SSH key?', '怎样得到 SSH 密钥？')}</summary>
      <p>
        {say(
          'An SSH key replaces the password of the server. It has two halves: the private half stays on your computer, and the public half is one line that goes into this form. Run this once, and press Enter at each question:',
          'SSH 密钥代替服务器的密码。它有两半：私钥留在您的电脑上，公钥是一行文本，填在这里。运行一次下面的命令，每个问题都按回车键：',
        )}
      </p>
      <pre>ssh-keygen -t ed25519</pre>
      <p>{say('Then print the public half, and copy the line:', '然后显示公钥，复制这一行：')}</p>
      <dl>
        <dt>Windows</dt>
        <dd>
          <code>type %USERPROFILE%\.ssh\id_ed25519.pub</code>
        </dd>
        <dt>macOS, Linux</dt>
        <dd>
          <code>cat ~/.ssh/id_ed25519.pub</code>
        </dd>
      </dl>
    </details>
  );
}
