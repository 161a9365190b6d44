"""forge-read: safe, windowed reads of workspace files for editors and agents."""

__version__ = "0.1.0"
