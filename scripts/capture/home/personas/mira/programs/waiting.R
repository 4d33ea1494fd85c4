# Waiting times of the summer, by weekday.
waiting <- read.csv("~/Documents/Statistics/waiting-times-2026.csv", check.names = FALSE)
names(waiting) <- c("date", "delays", "longest", "median", "calls")
waiting$day <- factor(weekdays(as.Date(waiting$date), abbreviate = TRUE))

summary(waiting)

by_day <- aggregate(cbind(longest, median) ~ day, data = waiting, FUN = mean)
print(by_day)

boxplot(longest ~ day, data = waiting, ylab = "minutes")
model <- lm(longest ~ calls + day, data = waiting)
anova(model)
