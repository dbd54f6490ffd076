import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'vite';

const config: UserConfig = defineConfig({
  plugins: [react()],
  // CopilotKit brings renderers for diagrams, formulas and code along; most of it is loaded only when it is needed.
  build: { chunkSizeWarningLimit: 8000 },
});

export default config;
