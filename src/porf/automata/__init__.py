"""Models against models: what one allows and another does not, and what holds of a model whatever the execution."""
