/** Configuration files in the form of each client. */

export const CLAUDE_DESKTOP = `{
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/Users/me/Desktop"]
    },
    "github": {
      "command": "docker",
      "args": ["run", "-i", "--rm", "-e", "GITHUB_TOKEN", "ghcr.io/github/github-mcp-server"],
      "env": { "GITHUB_TOKEN": "ghp_literal" }
    }
  },
  "globalShortcut": "Alt+Space"
}
`;

export const CLAUDE_CODE = `{
  "mcpServers": {
    "database": {
      "type": "stdio",
      "command": "\${DB_BIN:-db-server}",
      "args": ["--dsn", "\${DSN}"],
      "env": {},
      "timeout": 30000
    },
    "sentry": {
      "type": "http",
      "url": "https://\${SENTRY_HOST:-mcp.sentry.dev}/mcp",
      "headers": { "Authorization": "Bearer \${SENTRY_TOKEN}" },
      "oauth": { "clientId": "abc", "callbackPort": 8080 }
    },
    "legacy": { "type": "sse", "url": "https://example.com/sse" }
  }
}
`;

export const CURSOR = `{
  "mcpServers": {
    "tickets": {
      "url": "https://example.com/mcp",
      "headers": { "X-Api-Key": "\${env:TICKETS_KEY}" },
      "auth": { "CLIENT_ID": "\${env:NOT_OURS}" }
    },
    "local": { "command": "python", "args": ["server.py"], "env": { "KEY": "\${env:TICKETS_KEY}" } }
  }
}
`;

export const VS_CODE = `{
  // This client allows comments and trailing commas.
  "inputs": [{ "type": "promptString", "id": "token", "description": "A token", "password": true }],
  "servers": {
    "playwright": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "@playwright/mcp@latest"],
      "cwd": "/work",
      "env": { "PORT": 9222, "UNSET": null },
      "dev": { "watch": "src/**/*.ts" },
    },
    "github": { "type": "http", "url": "https://api.githubcopilot.com/mcp/", "gallery": true },
  },
}
`;

export const WINDSURF = `{
  "mcpServers": {
    "figma": {
      "serverUrl": "https://example.com/mcp",
      "headers": { "API_KEY": "Bearer \${env:FIGMA_KEY}" },
      "disabledTools": ["delete_file"],
      "alwaysAllow": []
    },
    "off": { "command": "nothing", "args": ["\${NOWHERE}"], "disabled": true }
  }
}
`;

export const ZED = `{
  "theme": { "mode": "system", "light": "One Light", "dark": "One Dark" },
  "vim_mode": false,
  "context_servers": {
    "nested": {
      "source": "custom",
      "command": { "path": "/usr/bin/uv", "args": ["run", "main.py"], "env": {} },
      "settings": {}
    },
    "flat": { "enabled": true, "source": "custom", "command": "uvx", "args": ["server"], "env": {} },
    "remote": { "url": "https://example.com/mcp", "headers": { "Authorization": "Bearer x" } },
    "mcp-server-github": { "source": "extension", "settings": { "token": "x" } },
    "off": { "enabled": false, "command": "nothing" }
  },
  "languages": { "Python": { "tab_size": 4 } }
}
`;

export const GEMINI = `{
  "theme": "Dracula",
  "mcpServers": {
    "api": { "httpUrl": "https://example.com/mcp", "timeout": 5000, "trust": false },
    "git": { "command": "uvx", "args": ["$GIT_SERVER"], "excludeTools": ["git_reset"] }
  }
}
`;

export const COPILOT = `{
  "mcpServers": {
    "playwright": { "type": "local", "command": "npx", "args": ["@playwright/mcp"], "tools": ["*"] }
  }
}
`;

export const CLIENT_FILES = {
  CLAUDE_DESKTOP,
  CLAUDE_CODE,
  CURSOR,
  VS_CODE,
  WINDSURF,
  ZED,
  GEMINI,
  COPILOT,
};
